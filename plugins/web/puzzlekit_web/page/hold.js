// The picture of how the puzzle is held: solved, with its colours on top and in front.

import { make, makeSVG } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { OWN } from "./scheme.js";
import { geometry, outline } from "./shapes.js";
import { viewOf } from "./view.js";

/** @typedef {import("./shapes.js").Point} Point */
/** @typedef {[number, number, number]} Place to the right, up, and towards the one who looks */

/**
 * The first three corners of each visible face: by the letters of all faces, and then by the
 * letter of the face.
 * @type {Record<string, Record<string, [Place, Place, Place]>>}
 */
const SOLIDS = {
  URFDLB: {
    U: [
      [-1, 1, -1],
      [1, 1, -1],
      [1, 1, 1],
    ],
    F: [
      [-1, 1, 1],
      [1, 1, 1],
      [1, -1, 1],
    ],
    R: [
      [1, 1, 1],
      [1, 1, -1],
      [1, -1, -1],
    ],
  },
  FLRD: {
    F: [
      [-1, -0.41, 0.58],
      [0, 1.22, 0],
      [1, -0.41, 0.58],
    ],
    R: [
      [0, 1.22, 0],
      [1, -0.41, 0.58],
      [0, -0.41, -1.15],
    ],
  },
};
/** What is said of the faces by which a puzzle is held. @type {Record<string, string>} */
const WHERE = { U: "on top", F: "in front", D: "below" };

const figure = find("hold", HTMLElement);

/**
 * The place on paper of a place in space.
 * @param {import("./view.js").View} view
 * @returns {(place: Place) => Point}
 */
function projection({ latitude, longitude }) {
  const [up, right] = [latitude, longitude].map((degrees) => (degrees * Math.PI) / 180);
  const [sinUp, cosUp] = [Math.sin(up ?? 0), Math.cos(up ?? 0)];
  const [sin, cos] = [Math.sin(right ?? 0), Math.cos(right ?? 0)];
  return ([x, y, z]) => ({
    x: x * cos - z * sin,
    y: sinUp * (x * sin + z * cos) - y * cosUp,
  });
}

/**
 * The matrix, as SVG writes it, that brings three points to three others.
 * @param {Point[]} from
 * @param {Point[]} to
 * @returns {string}
 */
function matrix(from, to) {
  const [p, p1, p2] = /** @type {[Point, Point, Point]} */ (from);
  const [q, q1, q2] = /** @type {[Point, Point, Point]} */ (to);
  const [ux, uy, vx, vy] = [p1.x - p.x, p1.y - p.y, p2.x - p.x, p2.y - p.y];
  const size = ux * vy - uy * vx;
  /** @param {"x" | "y"} axis */
  const row = (axis) => {
    const [one, two] = [q1[axis] - q[axis], q2[axis] - q[axis]];
    const [a, c] = [(one * vy - two * uy) / size, (two * ux - one * vx) / size];
    return [a, c, q[axis] - a * p.x - c * p.y];
  };
  const [x, y] = [row("x"), row("y")];
  const entries = [0, 1, 2].flatMap((i) => [x[i] ?? 0, y[i] ?? 0]);
  return `matrix(${entries.map((entry) => entry.toFixed(4)).join(" ")})`;
}

/**
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {import("./scheme.js").Scheme} scheme
 * @returns {SVGSVGElement | null} null for a puzzle that is no cube and no tetrahedron
 */
function picture(puzzle, scheme) {
  const { plates, stickers } = geometry(puzzle);
  const seen = SOLIDS[puzzle.faces];
  if (!seen || plates.length !== puzzle.faces.length) return null;
  const project = projection(viewOf(puzzle));
  const svg = makeSVG("svg", { viewBox: "-1.42 -1.45 2.84 2.9", "aria-hidden": "true" });
  for (const [letter, corners] of Object.entries(seen)) {
    const face = puzzle.faces.indexOf(letter);
    const plate = plates[face];
    if (!plate) return null;
    const transform = matrix(plate.points, corners.map(project));
    const side = makeSVG("g", { transform, fill: scheme.css[scheme.fromFaces(letter)] ?? "" });
    side.append(makeSVG("path", { class: "plate", d: outline(plate, 0, 0.02) }));
    for (const sticker of stickers.filter(({ facelet }) => puzzle.face_of[facelet] === face)) {
      side.append(makeSVG("path", { d: outline(sticker, 0.07, 0.16) }));
    }
    svg.append(side);
  }
  return svg;
}

/**
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {import("./scheme.js").Scheme} scheme
 * @returns {string}
 */
function caption(puzzle, scheme) {
  if (scheme.name === OWN) return "Hold it like this.";
  const letters = puzzle.faces.includes("U") ? "UF" : "FD";
  const parts = Array.from(letters, (letter) => {
    return `${scheme.words[scheme.fromFaces(letter)]} ${WHERE[letter]}`;
  });
  return `Hold it with ${parts.join(", ")}.`;
}

function show() {
  const { puzzle, scheme } = model;
  if (!puzzle || !scheme) return;
  const drawn = picture(puzzle, scheme);
  figure.replaceChildren(
    ...(drawn ? [drawn, make("figcaption", {}, caption(puzzle, scheme))] : []),
  );
  // In the free corner of the net.
  const columns = Math.max(...puzzle.net.map((row) => row.length));
  figure.classList.toggle("low", typeof puzzle.net[0]?.[columns - 1] === "number");
}

model.addEventListener("scheme", show);
