// The keyboard in the net to paint, and the keys that work everywhere on the page.

import { history } from "./history.js";
import { model } from "./model.js";
import { palette } from "./palette.js";
import { UNPAINTED } from "./scheme.js";

/** @typedef {import("./net.js").Net} Net */
/** @typedef {{facelet: number, row: number, column: number}} Cell */

/** @type {Record<string, [number, number]>} rows and columns */
const ARROWS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** All stickers, as one reads the net. @returns {Cell[]} */
function cells() {
  return (model.puzzle?.net ?? []).flatMap((line, row) =>
    line.flatMap((facelet, column) => (facelet === null ? [] : [{ facelet, row, column }])),
  );
}

/**
 * The nearest sticker in a direction, across gaps; straight ahead counts as nearer than sideways.
 * @param {Cell} from
 * @param {[number, number]} direction
 * @returns {Cell} the same one where there is none
 */
function neighbour(from, [rows, columns]) {
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (const cell of cells()) {
    const [down, right] = [cell.row - from.row, cell.column - from.column];
    const ahead = down * rows + right * columns;
    const aside = Math.abs(down * columns + right * rows);
    const cost = ahead + 1.5 * aside;
    if (ahead > 0 && aside <= ahead && cost < least) [best, least] = [cell, cost];
  }
  return best;
}

/** @param {Cell} from @param {KeyboardEvent} event @returns {Cell | undefined} */
function target(from, event) {
  const direction = ARROWS[event.key];
  if (direction) return neighbour(from, direction);
  if (event.key !== "Home" && event.key !== "End") return undefined;
  const line = cells().filter((cell) => event.ctrlKey || cell.row === from.row);
  return line.at(event.key === "Home" ? 0 : -1);
}

/**
 * The symbol that a key paints.
 * @param {string} key
 * @returns {string | undefined}
 */
function symbolOf(key) {
  const { symbols } = palette;
  const found = symbols.includes(key) ? key : key.toUpperCase();
  return symbols.includes(found) ? found : undefined;
}

/**
 * Makes a net listen to keys: arrows move, letters paint and move on, digits choose a colour.
 * @param {Net} net
 * @param {(facelet: number, symbol: string) => void} paint
 */
export function listen(net, paint) {
  /** The sticker that Tab leads to. */
  let current = 0;

  /** @param {number} facelet */
  function reach(facelet) {
    net.sticker(current)?.setAttribute("tabindex", "-1");
    current = facelet;
    net.sticker(current)?.setAttribute("tabindex", "0");
  }

  /** @param {number} facelet */
  function go(facelet) {
    const count = model.stickers.length;
    reach((facelet + count) % count);
    net.sticker(current)?.focus();
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key meant something */
  function press(event) {
    const here = cells().find((cell) => cell.facelet === current);
    const to = here && target(here, event);
    if (to) {
      go(to.facelet);
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const { key } = event;
    const symbol = symbolOf(key);
    if (symbol !== undefined) {
      paint(current, symbol);
      go(current + 1);
    } else if (key === " " || key === "Enter") paint(current, palette.colour);
    else if (key === "Delete") paint(current, UNPAINTED);
    else if (key === "Backspace") {
      // After a letter, this erases it, as in a text.
      if (model.stickers[current] === UNPAINTED) go(current - 1);
      paint(current, UNPAINTED);
    } else if (/^[0-9]$/.test(key)) palette.choose(palette.symbols.at(Number(key) - 1) ?? "");
    else return false;
    return true;
  }

  net.svg.addEventListener("keydown", (event) => {
    if (press(event)) event.preventDefault();
  });
  // Not on the net itself: listening for focus would make it a Tab stop.
  net.svg.parentElement?.addEventListener("focusin", (event) => {
    const facelet = event.target instanceof Element && event.target.getAttribute("data-facelet");
    if (facelet) reach(Number(facelet));
  });
  model.addEventListener("puzzle", () => {
    current = 0;
    // The net draws the puzzle on its own event, which may come later.
    queueMicrotask(() => reach(cells()[0]?.facelet ?? 0));
  });
}

/** @param {EventTarget | null} at @returns {boolean} whether text is written there */
export function isField(at) {
  if (at instanceof HTMLInputElement) return !["radio", "checkbox", "color"].includes(at.type);
  return at instanceof HTMLTextAreaElement || at instanceof HTMLSelectElement;
}

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || isField(event.target)) return;
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) history.redo();
  else if (key === "z") history.undo();
  else return;
  event.preventDefault();
});
