// Links that carry a puzzle, its colours, its stickers and moves:
// #puzzle=cube3&scheme=western&state=...&moves=R_U_R'

import { model } from "./model.js";
import { lastPainted } from "./paintings.js";
import { UNPAINTED } from "./scheme.js";
import { lastScheme, schemeNamed } from "./schemes.js";
import { t } from "./texts.js";

const LONGEST = 40; // characters of a name that are repeated where it is unknown

/** @param {string} moves @returns {string} a link to these moves of the puzzle that is shown */
export function linkOf(moves) {
  const { puzzle, scheme, stickers } = model;
  if (!puzzle || !scheme) return "";
  const fields = {
    puzzle: puzzle.name,
    scheme: scheme.name,
    state: stickers,
    moves: moves.replaceAll(" ", "_"),
  };
  return `#${new URLSearchParams(fields)}`;
}

/** What is wrong with a link, in words. */
export class LinkError extends Error {}

/**
 * Shows what a link carries.
 * @param {string} hash with or without "#"
 * @param {string[]} puzzles the names that are known
 * @returns {Promise<string | null>} the moves of the link, "" if something else was chosen
 *   meanwhile; null if the link is empty; a LinkError if the link is wrong
 */
export async function openLink(hash, puzzles) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const name = fields.get("puzzle");
  if (name === null) return null;
  if (!puzzles.includes(name))
    throw new LinkError(t("link.puzzle", { name: name.slice(0, LONGEST) }));
  const wanted = fields.get("scheme");
  const stickers = fields.get("state");
  /** @param {import("./model.js").PuzzleRecord} puzzle */
  const colours = (puzzle) =>
    wanted === null && stickers === null ? lastScheme(puzzle) : schemeNamed(puzzle, wanted ?? "");
  // Without stickers in the link, the painting stays. Otherwise Undo leads back to it.
  const chosen = await model.choosePuzzle(name, colours, lastPainted);
  const { puzzle, scheme } = model;
  if (!chosen || !puzzle || !scheme) return "";
  if (wanted !== null && wanted !== scheme.name) {
    const unknown = wanted.slice(0, LONGEST);
    throw new LinkError(t("link.scheme", { name: unknown }));
  }
  if (stickers !== null) {
    const expected = puzzle.face_of.length;
    if (!puzzle.written && stickers.length !== expected) {
      throw new LinkError(t("link.stickers", { count: stickers.length, expected }));
    }
    const symbols = puzzle.written ? "" : stickers;
    const strange = [...symbols].find((s) => s !== UNPAINTED && !scheme.symbols.includes(s));
    if (strange !== undefined) {
      const known = [...scheme.symbols].join(" ");
      throw new LinkError(t("link.sticker", { sticker: strange, symbols: known }));
    }
    model.setStickers(stickers, "paint");
  }
  return (fields.get("moves") ?? "").replaceAll("_", " ");
}
