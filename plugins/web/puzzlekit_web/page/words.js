// Moves in words: which layer turns, and which way.

import { faceName, sided } from "./names.js";
import { at, cross, dot, minus, unit } from "./space.js";
import { t } from "./texts.js";

/** @typedef {import("./solid.js").Turn} Turn */
/** @typedef {import("./solid.js").Solid} Solid */
/** @typedef {import("./space.js").Point} Point */

const NEAR = 2e-3;

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
  const way = t(half ? "turn.half" : angle < 0 ? "turn.clockwise" : "turn.counter");
  if (last > most - NEAR && first < least + NEAR) {
    return t(half ? "turn.whole-half" : "turn.whole", { way, side });
  }
  const parallel = [...solid.turns.values()].filter((other) => Math.abs(dot(other.axis, axis)) > 1 - NEAR);
  const layer = Math.min(...parallel.map((other) => other.last - other.first));
  const number = 1 + Math.round((most - last) / layer);
  const count = Math.round((last - first) / layer);
  const values = { side, way, count, first: number, last: number + count - 1 };
  if (number === 1) return t(count === 1 ? "turn.face" : "turn.outer", values);
  return t(count === 1 ? "turn.layer" : "turn.layers", values);
}

/**
 * Where an axis points: a face, or the corner where faces meet.
 * @param {Solid} solid
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {Point} axis
 * @returns {string}
 */
function sideOf(solid, puzzle, axis) {
  /** @type {[string, number][]} */
  const along = [...puzzle.faces].map((letter, face) => {
    const outline = at(solid.outlines, puzzle.face_of.indexOf(face));
    const [a, b, c] = /** @type {[Point, Point, Point]} */ (outline.slice(0, 3));
    return [letter, dot(axis, unit(cross(minus(b, a), minus(c, a))))];
  });
  const whole = along.find(([, share]) => share > 0.99);
  if (whole) return faceName(puzzle, whole[0]);
  const meeting = along.filter(([, share]) => share > 0.05).map(([letter]) => letter);
  const names = sided(puzzle) ? meeting.map((letter) => t(`side.${letter}`)) : meeting;
  return t("corner", { faces: names.join("-") });
}
