// The net to paint: by pointer and by the buttons below it.

import { find } from "./find.js";
import { history } from "./history.js";
import { listen } from "./keys.js";
import { model } from "./model.js";
import { Net } from "./net.js";
import { palette } from "./palette.js";
import { UNPAINTED } from "./scheme.js";
import { t } from "./texts.js";

/** The net to paint; other modules may mark stickers on it. */
export const net = new Net(find("net", HTMLElement), { label: t("paint.net"), interactive: true });
net.svg.setAttribute("aria-describedby", "net-help");

/**
 * Highlights stickers while an element about them is under the pointer or has the focus.
 * @param {HTMLElement} element
 * @param {number[]} stickers
 */
export function lightsUp(element, stickers) {
  const on = () => net.mark(stickers, "lit");
  const off = () => net.mark([], "lit");
  element.addEventListener("pointerenter", on);
  element.addEventListener("pointerleave", off);
  element.addEventListener("focusin", on);
  element.addEventListener("focusout", off);
}

/** @param {number} facelet @param {string} symbol */
export function paint(facelet, symbol) {
  const { stickers } = model;
  model.setStickers(stickers.slice(0, facelet) + symbol + stickers.slice(facelet + 1), "paint");
}

/** @param {number} facelet whose colour is painted with from now on */
function pickUp(facelet) {
  palette.choose(model.stickers[facelet] ?? UNPAINTED);
}

/** @param {EventTarget | null} target @returns {number | null} the facelet drawn there */
function faceletOf(target) {
  const sticker = target instanceof Element ? target.closest(".sticker") : null;
  if (!sticker || !net.svg.contains(sticker)) return null;
  return Number(sticker.getAttribute("data-facelet"));
}

/** Where the stroke that is being painted is now; null between strokes. */
let stroke = /** @type {{x: number, y: number} | null} */ (null);

/** @param {PointerEvent} event */
function begin(event) {
  const facelet = faceletOf(event.target);
  if (facelet === null || !event.isPrimary || event.button !== 0 || event.ctrlKey) return;
  if (event.shiftKey || event.altKey) {
    pickUp(facelet);
    return;
  }
  stroke = { x: event.clientX, y: event.clientY };
  history.hold();
  net.svg.setPointerCapture(event.pointerId);
  paint(facelet, palette.colour);
}

const STEP = 8; // CSS pixels: less than the smallest sticker, so that a quick stroke leaves no gaps

/** @param {PointerEvent} event */
function go(event) {
  if (!stroke || !event.isPrimary) return;
  const from = stroke;
  const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
  const steps = Math.max(1, Math.ceil(Math.hypot(dx, dy) / STEP));
  for (let i = 1; i <= steps; i++) {
    const [x, y] = [from.x + (dx * i) / steps, from.y + (dy * i) / steps];
    const facelet = faceletOf(document.elementFromPoint(x, y));
    if (facelet !== null) paint(facelet, palette.colour);
  }
  stroke = { x: event.clientX, y: event.clientY };
}

function end() {
  if (!stroke) return;
  stroke = null;
  history.release();
}

net.svg.addEventListener("pointerdown", begin);
net.svg.addEventListener("pointermove", go);
net.svg.addEventListener("lostpointercapture", end);
net.svg.addEventListener("contextmenu", (event) => {
  const facelet = faceletOf(event.target);
  if (facelet === null) return;
  event.preventDefault();
  // A long touch opens this menu too, while it paints.
  if (!stroke) pickUp(facelet);
});
listen(net, paint);

function show() {
  if (model.scheme) net.show(model.stickers, model.scheme);
}

model.addEventListener("puzzle", () => {
  end();
  if (model.puzzle) net.layout(model.puzzle);
});
model.addEventListener("scheme", show);
model.addEventListener("stickers", show);

const undo = find("undo", HTMLButtonElement);
const redo = find("redo", HTMLButtonElement);
undo.addEventListener("click", () => history.undo());
redo.addEventListener("click", () => history.redo());
history.addEventListener("change", () => {
  undo.disabled = !history.canUndo;
  redo.disabled = !history.canRedo;
});

find("clear", HTMLButtonElement).addEventListener("click", () => {
  model.setStickers(model.cleared(), "program");
});
find("reset", HTMLButtonElement).addEventListener("click", () => {
  const { puzzle, scheme } = model;
  if (puzzle && scheme) model.setStickers(scheme.fromFaces(puzzle.solved), "program");
});
