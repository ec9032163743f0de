// The goal of a search: painted stickers. Grey ones do not matter.

import { find } from "./find.js";
import { model } from "./model.js";
import { Net } from "./net.js";
import { UNPAINTED } from "./scheme.js";
import { t } from "./texts.js";

const region = find("goal", HTMLElement);
const words = find("goal-words", HTMLElement);
const set = find("set-goal", HTMLButtonElement);
const drop = find("drop-goal", HTMLButtonElement);
const frame = find("goal-net", HTMLElement);

/** Sends the event "goal" when the goal has changed. */
class Aim extends EventTarget {
  /** The stickers of the goal, as face letters; empty for the solved puzzle. */
  faces = "";

  /** The stickers of the goal in the symbols of the scheme; empty for the solved puzzle. */
  get stickers() {
    return this.faces ? (model.scheme?.fromFaces(this.faces) ?? "") : "";
  }

  /** How many stickers matter. */
  get painted() {
    return [...this.faces].filter((letter) => letter !== UNPAINTED).length;
  }

  /** @param {string} faces */
  choose(faces) {
    this.faces = faces;
    this.dispatchEvent(new Event("goal"));
  }
}

export const aim = new Aim();
const net = new Net(frame, { label: t("goal.net") });

function show() {
  const { painted, stickers } = aim;
  words.textContent = painted
    ? t("goal.stickers", { count: painted })
    : t("goal.solved");
  frame.hidden = drop.hidden = !painted;
  if (painted && model.scheme) net.show(stickers, model.scheme);
}

function reset() {
  region.hidden = !model.puzzle?.takes_goals;
  if (model.puzzle) net.layout(model.puzzle);
  aim.choose("");
}

set.addEventListener("click", () => aim.choose(model.scheme?.toFaces(model.stickers) ?? ""));
drop.addEventListener("click", () => {
  aim.choose("");
  set.focus();
});
aim.addEventListener("goal", show);
model.addEventListener("scheme", show);
model.addEventListener("puzzle", reset);
reset();
