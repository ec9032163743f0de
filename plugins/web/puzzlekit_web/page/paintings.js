// The painting of each puzzle, kept as long as the tab is open. Choosing another puzzle by mistake
// or a reload does not lose the work, whatever other tabs show.

import { model } from "./model.js";
import { load, save } from "./store.js";

/** @typedef {import("./model.js").Painted} Painted */

const KEY = "puzzlekit paintings";
const SHOWN = "puzzlekit shown";
const session = () => sessionStorage;

/** @returns {Record<string, Painted & {scheme: string, symbols: string}>} by puzzle */
function kept() {
  return load(session, KEY);
}

/** @returns {string | undefined} the name of the puzzle that this tab showed last */
export function lastShown() {
  return load(session, SHOWN).puzzle;
}

/** @param {string} puzzle @returns {string | undefined} the name of the scheme it had in this tab */
export function schemeShown(puzzle) {
  return kept()[puzzle]?.scheme;
}

/**
 * The last painting of a puzzle.
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {import("./scheme.js").Scheme} scheme
 * @returns {Painted | null} null if nothing was, in these colours
 */
export function lastPainted(puzzle, scheme) {
  const last = kept()[puzzle.name];
  const fits = last?.symbols === scheme.symbols && 
    (puzzle.written || last.stickers?.length === puzzle.solved.length);
  return last && fits ? last : null;
}

function keep() {
  const { puzzle, scheme, stickers, source } = model;
  if (!puzzle || !scheme) return;
  const { name, symbols } = scheme;
  save(session, KEY, { ...kept(), [puzzle.name]: { scheme: name, symbols, stickers, source } });
  save(session, SHOWN, { puzzle: puzzle.name });
}

for (const event of ["scheme", "stickers"]) model.addEventListener(event, keep);
