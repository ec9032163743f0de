// Moves in words: which layer turns, and which way.

import { faceName, short, sided } from "./names.js";
import { NEAR, at, cross, dot, minus, unit } from "./space.js";
import { t } from "./texts.js";

/** @typedef {import("./solid.js").Turn} Turn */
/** @typedef {import("./solid.js").Solid} Solid */
/** @typedef {import("./space.js").Point} Point */

/**
 * A turn in words, such as "top face, clockwise".
 * @param {Solid} solid
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {Turn} turn
 * @returns {string}
 */
export function turnInWords(solid, puzzle, turn) {
  const { axis, angle, first, last } = turn;
  const depths = solid.outlines.flat().map((point) => dot(axis, point));
  const [least, most] = [Math.min(...depths), Math.max(...depths)];
  const side = sideOf(solid, puzzle, axis);
  const half = Math.abs(Math.abs(angle) - Math.PI) < 0.1;
  const once = t(angle < 0 ? "turn.clockwise" : "turn.counter");
  const twice = Math.abs(angle) > 1.5 * smallest(solid, turn);
  const way = half ? t("turn.half") : twice ? t("turn.twice", { way: once }) : once;
  if (last > most - NEAR && first < least + NEAR) {
    return t(half ? "turn.whole-half" : "turn.whole", { way, side });
  }
  const parallel = alongside(solid, turn);
  const layer = Math.min(...parallel.map((other) => other.last - other.first));
  const number = 1 + Math.round((most - last) / layer);
  const count = Math.round((last - first) / layer);
  const values = { side, way, count, first: number, last: number + count - 1 };
  if (number === 1) return t(count === 1 ? "turn.face" : "turn.outer", values);
  return t(count === 1 ? "turn.layer" : "turn.layers", values);
}

/** @param {Solid} solid @param {Turn} turn @returns {Turn[]} all turns about its axis */
function alongside(solid, { axis }) {
  return [...solid.turns.values()].filter((other) => Math.abs(dot(other.axis, axis)) > 1 - NEAR);
}

/** @param {Solid} solid @param {Turn} turn @returns {number} the least angle about its axis */
function smallest(solid, turn) {
  return Math.min(...alongside(solid, turn).map(({ angle }) => Math.abs(angle)));
}

/**
 * Where the axis of a turn points: a face, or the corner where faces meet.
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
  const names = meeting.map((letter) => (sided(puzzle) ? t(`side.${letter}`) : short(puzzle, letter)));
  return t("corner", { faces: names.join("-") });
}
