// Names that people know of faces, goals, methods and steps.

import { model } from "./model.js";
import { has, said, t } from "./texts.js";

/** Faces that have words; where a puzzle has others too, the letters may mean other things. */
const SIDES = "URFDLB";

/** @param {import("./model.js").PuzzleRecord} puzzle @returns {boolean} whether its faces have words */
export const sided = ({ faces }) => [...faces].every((letter) => SIDES.includes(letter));

/**
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {string} letter of a face
 * @returns {string} as in "front face"
 */
export function faceName(puzzle, letter) {
  return sided(puzzle) ? t(`face.${letter}`) : t("face", { letter: short(puzzle, letter) });
}

/**
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {string} letter of a face
 * @returns {string} what moves call it
 */
export function short({ faces, face_names: names }, letter) {
  return names[faces.indexOf(letter)] ?? letter;
}

/**
 * @param {string} name of a goal, a step or a step method
 * @param {{method?: string, number?: number}} [which] the method of a step, and which of its steps
 *   of that name it is, from 1
 * @returns {string} what people call it; the name itself if there is no other word
 */
export function called(name, { method = "", number = 0 } = {}) {
  const known = [model.puzzle?.name, method].map((of) => `${of}.${name}`);
  const key = [...known, name].find((each) => has(`called.${each}`));
  if (key) return t(`called.${key}`, { number: number || "" }).trim();
  return said(name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " "));
}

/**
 * The names of the steps of an answer.
 * @param {string} method
 * @param {{name: string}[]} steps
 * @returns {string[]}
 */
export function stepNames(method, steps) {
  const parts = steps.map(({ name }) => name.split(" + "));
  const each = parts.flat();
  /** @type {Map<string, number>} */
  const numbers = new Map();
  const named = parts.map((all) =>
    all.map((name) => {
      const number = (numbers.get(name) ?? 0) + 1;
      numbers.set(name, number);
      const several = each.filter((other) => other === name).length > 1;
      return called(name, { method, number: several ? number : 0 });
    }),
  );
  return named.map((all) => all.join(" + "));
}
