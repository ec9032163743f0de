// A colour scheme: the symbol of each face, and the colour of each symbol.

import { cssColour } from "./colours.js";
import { said, t } from "./texts.js";

/** Stands for a sticker that is not painted. */
export const UNPAINTED = "?";

/** The name of the scheme whose colours people choose themselves. */
export const OWN = "own";

/**
 * @typedef {object} Scheme
 * @property {string} name
 * @property {string} symbols one for each face, in the order of the faces
 * @property {Record<string, string>} css the CSS colour of each symbol, "#rrggbb"
 * @property {Record<string, string>} words the name of each symbol's colour
 * @property {(stickers: string) => string} toFaces symbols to face letters
 * @property {(facelets: string) => string} fromFaces face letters to symbols
 */

/** @param {string} text @param {string} from @param {string} to @returns {string} */
function translate(text, from, to) {
  return Array.from(text, (letter) => {
    const at = letter === UNPAINTED ? -1 : from.indexOf(letter);
    return at < 0 ? UNPAINTED : to.charAt(at);
  }).join("");
}

/**
 * @param {string} name
 * @param {string} faces
 * @param {string} symbols
 * @param {Record<string, string>} css
 * @param {Record<string, string>} words
 * @returns {Scheme}
 */
function make(name, faces, symbols, css, words) {
  return {
    name,
    symbols,
    css,
    words,
    toFaces: (stickers) => translate(stickers, symbols, faces),
    fromFaces: (facelets) => translate(facelets, faces, symbols),
  };
}

/**
 * One of the puzzle's own schemes.
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {string} name
 * @returns {Scheme | null} null if the puzzle has none of that name
 */
export function namedScheme(puzzle, name) {
  const found = puzzle.schemes.find((each) => each.name === name);
  if (!found) return null;
  // The words belong to the first scheme; the others put the same colours on other faces.
  const first = puzzle.schemes[0]?.symbols ?? "";
  /** @type {Record<string, string>} */
  const css = {};
  /** @type {Record<string, string>} */
  const words = {};
  for (const [face, symbol] of [...found.symbols].entries()) {
    const at = first.indexOf(symbol);
    const word = at < 0 ? symbol : (puzzle.colours[at] ?? symbol);
    words[symbol] = said(word);
    css[symbol] = cssColour(word, face, found.symbols.length);
  }
  return make(name, puzzle.faces, found.symbols, css, words);
}

/**
 * The scheme "own": the letters of the faces, in colours that people choose.
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {Record<string, string>} chosen the colour of each face; usual ones where it says none
 * @returns {Scheme}
 */
export function ownScheme(puzzle, chosen) {
  if (puzzle.written) {
    const same = (/** @type {string} */ state) => state;
    return { name: "", symbols: "", css: {}, words: {}, toFaces: same, fromFaces: same };
  }
  /** @type {Record<string, string>} */
  const css = {};
  /** @type {Record<string, string>} */
  const words = {};
  for (const [index, face] of [...puzzle.faces].entries()) {
    const usual = cssColour(puzzle.colours[index] ?? "", index, puzzle.faces.length);
    css[face] = chosen[face] ?? usual;
    words[face] = t("face", { letter: puzzle.face_names[index] ?? face });
  }
  return make(OWN, puzzle.faces, puzzle.faces, css, words);
}

/**
 * The stickers of one scheme in another. Painted colours that both have stay; stickers that the
 * program made are shown in the new colours.
 * @param {string} stickers
 * @param {Scheme} from
 * @param {Scheme} to
 * @param {"paint" | "program"} source
 * @returns {string}
 */
export function recolour(stickers, from, to, source) {
  const same = [...from.symbols].every((symbol) => to.symbols.includes(symbol));
  return same && source === "paint" ? stickers : to.fromFaces(from.toFaces(stickers));
}

/**
 * The number of unpainted stickers, in words; "" if all are painted.
 * @param {string} stickers
 * @returns {string}
 */
export function unpaintedWords(stickers) {
  const count = [...stickers].filter((symbol) => symbol === UNPAINTED).length;
  return count ? t("unpainted.count", { count }) : "";
}
