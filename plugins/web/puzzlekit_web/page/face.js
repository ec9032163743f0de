// The faces of a puzzle, one after the other: their stickers in an image, and how they are held.

import { bounds, geometry } from "./shapes.js";
import { cross, dot, facing, middle, minus, plus, unit } from "./space.js";

/** @typedef {import("./shapes.js").Shape} Shape */
/** @typedef {import("./space.js").Point} Point */
/** @typedef {[number, number, number]} Colour red, green and blue, from 0 to 255 */
/** @typedef {{x: number, y: number, size: number}} Place of a face in a square image, whose side is 1 */

/**
 * @typedef {object} Face
 * @property {string} letter
 * @property {(Shape & {facelet: number})[]} stickers around (0, 0); the longer side of the face is 1
 * @property {number} width
 * @property {number} height
 * @property {Point[][] | null} held the outlines of all stickers when this face is shown; null if
 *   the puzzle in space is not known
 * @property {string} up the letter of the face that then points up; "" if none does
 */

const ORDER = "FRBLUD"; // a cube turns to the left three times
const UPWARDS = 0.9; // the cosine of a face that points up

/** @param {import("./model.js").PuzzleRecord} puzzle @returns {Face[]} in the order of a scan */
export function facesToScan(puzzle) {
  const { stickers } = geometry(puzzle);
  const faces = [...puzzle.faces].map((letter, index) => {
    const own = stickers.filter(({ facelet }) => puzzle.face_of[facelet] === index);
    const points = own.flatMap((sticker) => sticker.points);
    const { left, top, right, bottom } = bounds(points);
    const side = Math.max(right - left, bottom - top);
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const moved = (/** @type {{x: number, y: number}} */ p) => ({ x: (p.x - x) / side, y: (p.y - y) / side });
    return {
      letter,
      stickers: own.map(({ facelet, points: corners, centre, radius, reach }) => ({
        facelet,
        points: corners.map(moved),
        centre: moved(centre),
        radius: radius / side,
        ...(reach === undefined ? {} : { reach: reach / side }),
      })),
      width: (right - left) / side,
      height: (bottom - top) / side,
      ...holding(puzzle, own),
    };
  });
  const place = ({ letter = "" }) => ORDER.indexOf(letter);
  return faces.every((face) => place(face) >= 0) ? faces.sort((a, b) => place(a) - place(b)) : faces;
}

/**
 * The puzzle turned so that a face is seen as in the net.
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {import("./shapes.js").Sticker[]} own the stickers of the face
 * @returns {Pick<Face, "held" | "up">}
 */
function holding({ solid, faces, face_of: faceOf }, own) {
  if (!solid) return { held: null, up: "" };
  const { corners } = solid;
  const at = (/** @type {number} */ facelet) => middle(corners[facelet] ?? []);
  const centre = middle(own.map(({ facelet }) => at(facelet)));
  const outline = corners[own[0]?.facelet ?? 0] ?? [];
  const side = facing(outline);
  const front = unit(dot(side, middle(outline)) < 0 ? minus([0, 0, 0], side) : side);
  const height = own.reduce((sum, each) => sum + each.centre.y, 0) / own.length;
  /** @type {Point} */
  let upwards = [0, 0, 0];
  for (const { facelet, centre: { y } } of own) {
    upwards = plus(upwards, height - y, minus(at(facelet), centre));
  }
  const up = unit(plus(upwards, -dot(upwards, front), front));
  const right = cross(up, front);
  const turned = (/** @type {Point} */ p) => /** @type {Point} */ ([dot(p, right), dot(p, up), dot(p, front)]);
  const above = [...faces].filter((_, face) => {
    const normal = unit(middle(corners.filter((_, facelet) => faceOf[facelet] === face).map(middle)));
    return dot(normal, up) > UPWARDS;
  });
  return {
    held: corners.map((each) => each.map(turned)),
    up: above.length === 1 ? (above[0] ?? "") : "",
  };
}

const INNER = 0.55; // of the circle in a sticker
const STEPS = 4; // from its middle to its border

/**
 * The median colour of the inner part of each sticker.
 * @param {ImageData} image a square
 * @param {Face} face
 * @param {Place} place
 * @returns {[number, Colour][]} by facelet
 */
export function measure({ data, width }, { stickers }, { x, y, size }) {
  return stickers.map(({ facelet, centre, radius }) => {
    /** @type {[number[], number[], number[]]} */
    const channels = [[], [], []];
    for (let i = -STEPS; i <= STEPS; i++) {
      for (let j = -STEPS; j <= STEPS; j++) {
        if (Math.hypot(i, j) > STEPS) continue;
        const step = (INNER * radius) / STEPS;
        const column = Math.floor(width * (x + size * (centre.x + i * step)));
        const row = Math.floor(width * (y + size * (centre.y + j * step)));
        const inside = (/** @type {number} */ n) => Math.max(0, Math.min(width - 1, n));
        const start = 4 * (inside(row) * width + inside(column));
        channels.forEach((channel, k) => channel.push(data[start + k] ?? 0));
      }
    }
    return [facelet, /** @type {Colour} */ (channels.map(median))];
  });
}

/** @param {number[]} values @returns {number} */
function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

// --- the first guess -------------------------------------------------------------------------

const COARSE = 96; // pixels of a side
const SMALLEST = 0.28;

/**
 * Where a face most likely is: its stickers are each of one colour, and what lies around it is not.
 * @param {ImageData} image a square of COARSE pixels
 * @param {Face} face
 * @param {Place} usual the answer if nothing looks like the face
 * @returns {Place}
 */
export function guess(image, face, usual) {
  const [left, top] = margins(image);
  const sums = summed(image, left, top);
  const { stickers } = face;
  // Stickers at the border, and the way out of the face from there.
  const border = stickers.flatMap(({ centre, radius }) => {
    const far = Math.hypot(centre.x, centre.y) || 1;
    const [dx, dy] = Math.abs(centre.x) > Math.abs(centre.y) ? [Math.sign(centre.x), 0] : [0, Math.sign(centre.y)];
    const out = { x: centre.x + 2.3 * radius * dx, y: centre.y + 2.3 * radius * dy };
    const taken = stickers.some((other) => Math.hypot(other.centre.x - out.x, other.centre.y - out.y) < 1.2 * other.radius);
    return far < 0.01 || taken ? [] : [{ centre, out, radius }];
  });
  let best = usual;
  let most = 25;
  for (let size = 1; size >= SMALLEST; size *= 0.95) {
    const [w, h] = [(size * face.width) / 2, (size * face.height) / 2];
    const step = Math.max(1 / COARSE, size / 48);
    for (let y = top + h; y <= 1 - top - h + 1e-9; y += step) {
      for (let x = left + w; x <= 1 - left - w + 1e-9; x += step) {
        const within = (/** @type {{x: number, y: number}} */ p, /** @type {number} */ r) => sums(x + size * p.x, y + size * p.y, size * r);
        let uneven = 0;
        for (const { centre, radius } of stickers) uneven += within(centre, 0.62 * radius).spread;
        uneven /= stickers.length;
        if (uneven > 30) continue;
        let apart = 0;
        for (const { centre, out, radius } of border) {
          const [a, b] = [within(centre, 0.5 * radius).mean, within(out, 0.3 * radius).mean];
          apart += Math.min(90, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
        }
        const score = apart / Math.max(1, border.length) - 3 * uneven + 12 * size;
        if (score > most) [most, best] = [score, { x, y, size }];
      }
    }
  }
  return best;
}

/**
 * @param {ImageData} image
 * @returns {[number, number]} how much is empty on the left and on the right, at the top and below
 */
function margins({ data, width }) {
  const half = width >> 1;
  const empty = (/** @type {(n: number) => number} */ at) => {
    let n = 0;
    while (n < half && !data[4 * at(n) + 3]) n++;
    return n / width;
  };
  return [empty((n) => half * width + n), empty((n) => n * width + half)];
}

/**
 * @param {ImageData} image
 * @param {number} marginX the empty part on the left and on the right, which is not looked at
 * @param {number} marginY the empty part at the top and below
 * @returns {(x: number, y: number, r: number) => {mean: Colour, spread: number}} of a small square
 */
function summed({ data, width }, marginX, marginY) {
  const row = width + 1;
  const sums = [0, 1, 2].map(() => new Float64Array(row * row));
  const squares = new Float64Array(row * row);
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const [here, start] = [(y + 1) * row + x + 1, 4 * (y * width + x)];
      let square = 0;
      sums.forEach((sum, k) => {
        const value = data[start + k] ?? 0;
        square += value * value;
        sum[here] = value + (sum[here - 1] ?? 0) + (sum[here - row] ?? 0) - (sum[here - row - 1] ?? 0);
      });
      squares[here] = square + (squares[here - 1] ?? 0) + (squares[here - row] ?? 0) - (squares[here - row - 1] ?? 0);
    }
  }
  return (x, y, r) => {
    const cut = (/** @type {number} */ n, /** @type {number} */ margin, /** @type {number} */ room) =>
      Math.round(Math.max(margin * width, Math.min((1 - margin) * width - room, n * width)));
    const [left, top] = [cut(x - r, marginX, 1), cut(y - r, marginY, 1)];
    const [right, bottom] = [Math.max(cut(x + r, marginX, 0), left + 1), Math.max(cut(y + r, marginY, 0), top + 1)];
    const count = (right - left) * (bottom - top);
    const total = (/** @type {Float64Array} */ sum) =>
      ((sum[bottom * row + right] ?? 0) - (sum[top * row + right] ?? 0) - (sum[bottom * row + left] ?? 0) + (sum[top * row + left] ?? 0)) / count;
    const mean = /** @type {Colour} */ (sums.map(total));
    const variance = total(squares) - mean[0] ** 2 - mean[1] ** 2 - mean[2] ** 2;
    return { mean, spread: Math.sqrt(Math.max(0, variance)) };
  };
}
