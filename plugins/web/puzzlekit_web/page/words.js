// Moves in words: which layer turns, and which way.

import { at, cross, dot, minus, unit } from "./space.js";

/** @typedef {import("./solid.js").Turn} Turn */
/** @typedef {import("./solid.js").Solid} Solid */
/** @typedef {import("./space.js").Point} Point */

const NEAR = 2e-3;
/** What people call the sides of a cube. @type {Record<string, string>} */
const SIDES = { U: "top", R: "right", F: "front", D: "bottom", L: "left", B: "back" };

/**
 * A turn in words, such as "top face, clockwise".
 * @param {Solid} solid
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {Turn} turn
 * @returns {string}
 */
export function turnInWords(solid, puzzle, { axis, angle, first, last }) {
  const depths = solid.outlines.flat().map((point) => dot(axis, point));
  const [least, most] = [Math.min(...depths), Math.max(...depths)];
  const side = sideOf(solid, puzzle, axis);
  const half = Math.abs(Math.abs(angle) - Math.PI) < 0.1;
  const way = half ? "half a turn" : angle < 0 ? "clockwise" : "counter-clockwise";
  if (last > most - NEAR && first < least + NEAR) {
    return half ? "the whole puzzle, half a turn" : `the whole puzzle, ${way} as seen from the ${side}`;
  }
  const parallel = [...solid.turns.values()].filter((other) => Math.abs(dot(other.axis, axis)) > 1 - NEAR);
  const layer = Math.min(...parallel.map((other) => other.last - other.first));
  const number = 1 + Math.round((most - last) / layer);
  const count = Math.round((last - first) / layer);
  if (number === 1 && count === 1) return `${side}, ${way}`;
  if (number === 1 && side.endsWith("face")) return `${count} layers at the ${side}, ${way}`;
  if (number === 1) return `layers at the ${side}, ${way}`;
  const layers = count === 1 ? `layer ${number}` : `layers ${number} to ${number + count - 1}`;
  return `${layers} from the ${side}, ${way}`;
}

/**
 * Where an axis points: a face, or the corner where faces meet.
 * @param {Solid} solid
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {Point} axis
 * @returns {string}
 */
function sideOf(solid, puzzle, axis) {
  const cube = [...puzzle.faces].every((letter) => SIDES[letter]);
  const name = (/** @type {string} */ letter) => (cube ? (SIDES[letter] ?? letter) : letter);
  /** @type {[string, number][]} */
  const along = [...puzzle.faces].map((letter, face) => {
    const outline = at(solid.outlines, puzzle.face_of.indexOf(face));
    const [a, b, c] = /** @type {[Point, Point, Point]} */ (outline.slice(0, 3));
    return [letter, dot(axis, unit(cross(minus(b, a), minus(c, a))))];
  });
  const whole = along.find(([, share]) => share > 0.99);
  if (whole) return `${name(whole[0])} face`;
  const meeting = along.filter(([, share]) => share > 0.05).map(([letter]) => name(letter));
  return `${meeting.join("-")} corner`;
}
