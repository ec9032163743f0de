// The moves of a puzzle without stickers, as buttons; and tiles that slide when they are pressed.

import { ApiError, api } from "./api.js";
import { make } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { showError } from "./notice.js";

/** @typedef {import("./model.js").Slides} Slides */

const place = find("turns", HTMLElement);
const picture = find("picture", HTMLElement);
/** The last moves that were made: the next ones wait for their state. */
let last = Promise.resolve();

/** @param {() => string} moves of the state that there is then */
function soon(moves) {
  const next = () => turn(moves());
  last = last.then(next, next);
}

/** @param {string} moves */
async function turn(moves) {
  const { puzzle, stickers } = model;
  if (!puzzle || !moves) return;
  try {
    const path = `puzzles/${encodeURIComponent(puzzle.name)}/verify`;
    const { frames } = await api.post(path, { stickers, moves });
    if (model.puzzle === puzzle && model.stickers === stickers) {
      model.setStickers(frames.at(-1), "paint");
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showError(error);
  }
}

/**
 * The moves that bring the blank to a place in its row or column: all tiles between them slide.
 * @param {(blank: number, slides: Slides, tiles: string[]) => number} where
 * @returns {string} empty if there are none
 */
function toPlace(where) {
  const slides = model.puzzle?.slides;
  if (!slides) return "";
  const tiles = model.stickers.split(" ");
  const start = tiles.indexOf(slides.blank);
  const end = where(start, slides, tiles);
  for (const move of Object.keys(slides.moves[start] ?? {})) {
    let at = start;
    for (let count = 1; ; count++) {
      const to = slides.moves[at]?.[move];
      if (to === undefined) break;
      if (to === end) return Array(count).fill(move).join(" ");
      at = to;
    }
  }
  return "";
}

/** How far from the blank the tile is that a key slides, in rows and columns. @type {Record<string, [number, number]>} */
const KEYS = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, 1], ArrowRight: [0, -1] };

picture.addEventListener("click", (event) => {
  const tile = event.target instanceof Element ? event.target.closest("g")?.textContent : null;
  if (tile) soon(() => toPlace((_blank, _slides, tiles) => tiles.indexOf(tile)));
});
picture.addEventListener("keydown", (event) => {
  const way = KEYS[event.key];
  if (!way || !model.puzzle?.slides || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  soon(() => toPlace((blank, { columns }) => blank + way[0] * columns + way[1]));
});

model.addEventListener("puzzle", () => {
  const { turns = [], slides } = model.puzzle ?? {};
  document.body.classList.toggle("slides", !!slides);
  if (slides) picture.setAttribute("tabindex", "0");
  else picture.removeAttribute("tabindex");
  place.hidden = turns.length === 0;
  place.replaceChildren(
    ...turns.map((move) => {
      const button = make("button", { type: "button", class: "move" }, move);
      button.addEventListener("click", () => soon(() => move));
      return button;
    }),
  );
});
