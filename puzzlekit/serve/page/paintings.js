// What is painted on each puzzle, kept as long as the tab is open: neither a slip of the finger in
// the choice of the puzzle nor a reload loses the work. Where nothing may be kept, nothing is.

import { model } from "./model.js";

const KEY = "puzzlekit paintings";

/** @typedef {{scheme: string, stickers: string, source: "paint" | "program"}} Kept */

/** @returns {Record<string, Kept>} by puzzle */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

function keep() {
  const { puzzle, scheme, stickers, source } = model;
  if (!puzzle || !scheme) return;
  const now = { ...kept(), [puzzle.name]: { scheme: scheme.symbols, stickers, source } };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // Storage can be full or forbidden.
  }
}

/**
 * Shows a puzzle as it was last painted in these colours.
 * @param {string} name
 * @param {Parameters<typeof model.choosePuzzle>[1]} colours
 */
export async function choosePainted(name, colours) {
  const before = kept()[name];
  if (!(await model.choosePuzzle(name, colours)) || !before) return;
  const fits =
    before.scheme === model.scheme?.symbols && before.stickers.length === model.stickers.length;
  if (fits) model.setStickers(before.stickers, before.source);
}

model.addEventListener("stickers", keep);
