// The moves of a puzzle from a file, as buttons.

import { ApiError, api } from "./api.js";
import { make } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { showError } from "./notice.js";

const place = find("turns", HTMLElement);
/** The last move that was pressed: the next one waits for its state. */
let last = Promise.resolve();

/** @param {string} move */
async function turn(move) {
  const { puzzle, stickers } = model;
  if (!puzzle) return;
  try {
    const path = `puzzles/${encodeURIComponent(puzzle.name)}/verify`;
    const { frames } = await api.post(path, { stickers, moves: move });
    if (model.puzzle === puzzle && model.stickers === stickers) {
      model.setStickers(frames[1], "paint");
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showError(error);
  }
}

model.addEventListener("puzzle", () => {
  const turns = model.puzzle?.turns ?? [];
  place.hidden = turns.length === 0;
  place.replaceChildren(
    ...turns.map((move) => {
      const button = make("button", { type: "button", class: "move" }, move);
      const next = () => turn(move);
      button.addEventListener("click", () => {
        last = last.then(next, next);
      });
      return button;
    }),
  );
});
