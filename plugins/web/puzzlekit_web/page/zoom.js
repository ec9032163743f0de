// On a phone, the stickers of a large net are too small for fingers: one face at a time fills it.

import { make } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { faceName, short } from "./names.js";
import { net } from "./painting.js";
import { bounds, geometry } from "./shapes.js";
import { t } from "./texts.js";

const LARGE = 20; // stickers side by side: more are too small on a phone
const MARGIN = 0.25;

const group = find("zoom", HTMLElement);
const narrow = matchMedia("(max-width: 34rem)");

/** What is seen of the net, by face; "" is all of it. @type {Map<string, string>} */
let boxes = new Map();
let shown = "";

/** @param {import("./model.js").PuzzleRecord} puzzle */
function layout(puzzle) {
  boxes = new Map();
  shown = "";
  group.replaceChildren();
  if (puzzle.written) return;
  const { width, stickers } = geometry(puzzle);
  if (width < LARGE * 2 * Math.min(...stickers.map(({ radius }) => radius))) return;
  boxes.set("", net.svg.getAttribute("viewBox") ?? "");
  [...puzzle.faces].forEach((letter, face) => {
    const points = stickers.filter(({ facelet }) => puzzle.face_of[facelet] === face).flatMap((each) => each.points);
    const { left, top, right, bottom } = bounds(points);
    const box = [left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN];
    boxes.set(letter, box.map((each) => each.toFixed(3)).join(" "));
  });
  for (const letter of boxes.keys()) {
    const label = letter ? { "aria-label": faceName(puzzle, letter) } : {};
    const button = make("button", { type: "button", ...label }, letter ? short(puzzle, letter) : t("zoom.all"));
    button.addEventListener("click", () => zoom(letter));
    group.append(button);
  }
}

/** Shows one face, or all of them. @param {string} letter "" for all */
function zoom(letter) {
  shown = letter;
  const box = boxes.get(letter);
  if (box) net.svg.setAttribute("viewBox", box);
  net.svg.parentElement?.classList.toggle("zoomed", letter !== "");
  [...boxes.keys()].forEach((each, i) => {
    group.children[i]?.setAttribute("aria-pressed", `${each === letter}`);
  });
}

function offer() {
  group.hidden = !narrow.matches || boxes.size === 0;
  zoom(group.hidden ? "" : shown);
}

// The net is drawn on the same event, earlier.
model.addEventListener("puzzle", () => {
  if (model.puzzle) layout(model.puzzle);
  offer();
});
narrow.addEventListener("change", offer);
// Keys lead from one face to the next.
net.svg.parentElement?.addEventListener("focusin", ({ target }) => {
  const facelet = shown && target instanceof Element ? target.getAttribute("data-facelet") : null;
  const letter = facelet === null ? "" : (model.puzzle?.faces[model.puzzle.face_of[Number(facelet)] ?? -1] ?? "");
  if (letter && letter !== shown) zoom(letter);
});
