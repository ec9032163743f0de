// The stickers that a scan left in doubt, each with its runner-up.

import { make } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { lightsUp, net, paint } from "./painting.js";
import { t } from "./texts.js";

/** @typedef {{sticker: number, read: string, runner_up: string, odds: number}} Doubt */

const MOST = 12; // that are listed

const box = find("doubts", HTMLElement);
const list = find("doubts-list", HTMLUListElement);

/** @type {Doubt[]} the least certain first */
let doubts = [];
/** Write what each of them is now. @type {(() => void)[]} */
let writers = [];

/** @param {Doubt[]} found in the stickers as they are now */
export function showDoubts(found) {
  doubts = [...found].sort((a, b) => a.odds - b.odds).slice(0, MOST);
  writers = [];
  list.replaceChildren(...doubts.map(item));
  show();
}

/** @param {Doubt} doubt @returns {HTMLLIElement} */
function item({ sticker, read, runner_up: other }) {
  const name = model.puzzle?.facelet_names[sticker] ?? "";
  const words = make("span");
  const button = make("button", { type: "button" });
  const write = () => {
    const is = model.stickers[sticker] ?? "";
    const instead = is === read ? other : read;
    words.textContent = `${name}: ${model.scheme?.words[is] ?? is}`;
    button.textContent = t("scan.change", { colour: model.scheme?.words[instead] ?? instead });
    button.setAttribute("aria-label", `${name}: ${button.textContent}`);
  };
  button.addEventListener("click", () => {
    paint(sticker, model.stickers[sticker] === read ? other : read);
  });
  const made = make("li", {}, words, button);
  lightsUp(made, [sticker]);
  writers.push(write);
  write();
  return made;
}

function show() {
  box.hidden = doubts.length === 0;
  net.mark(doubts.map(({ sticker }) => sticker), "doubtful");
}

function forget() {
  if (doubts.length) showDoubts([]);
}

model.addEventListener("puzzle", forget);
model.addEventListener("scheme", forget);
model.addEventListener("stickers", () => {
  // Other stickers than those of the scan: these doubts are none any more.
  const known = doubts.every(({ sticker, read, runner_up: other }) => [read, other].includes(model.stickers[sticker] ?? ""));
  if (!known) forget();
  for (const write of writers) write();
});
