// Points in space as [right, up, towards the viewer], and what the 3D view computes with them.

/** @typedef {[number, number, number]} Point */

export const NEAR = 2e-3; // tolerance of points, relative to the radius of a puzzle

/** @param {Point} a @param {Point} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** @param {Point} a @param {Point} b @returns {Point} */
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** @param {Point} a @param {number} by @param {Point} b @returns {Point} a + by · b */
export const plus = (a, by, b) => [a[0] + by * b[0], a[1] + by * b[1], a[2] + by * b[2]];

/** @param {Point} a @param {Point} b @returns {Point} */
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** @param {Point} a @returns {Point} */
export function unit(a) {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}

/** @param {Point[]} points @returns {Point} */
export function middle(points) {
  /** @type {Point} */
  let sum = [0, 0, 0];
  for (const point of points) sum = plus(sum, 1 / points.length, point);
  return sum;
}

/** @param {Point} axis of length 1 @param {number} angle @returns {(point: Point) => Point} */
export function rotation(axis, angle) {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return (point) => {
    const turned = plus(plus([0, 0, 0], cos, point), sin, cross(axis, point));
    return plus(turned, (1 - cos) * dot(axis, point), axis);
  };
}

const SHARPEST = 0.15; // 1 + the cosine between two sides; sharper corners are cut off

/**
 * A polygon whose sides all lie `by` farther in.
 * @param {Point[]} polygon
 * @param {number} by
 * @returns {Point[]}
 */
export function inset(polygon, by) {
  const count = polygon.length;
  const normal = unit(facing(polygon));
  const inward = polygon.map((point, i) => cross(normal, unit(minus(at(polygon, i + 1), point))));
  return polygon.map((point, i) => {
    const [before, after] = [at(inward, i + count - 1), at(inward, i)];
    return plus(point, by / Math.max(1 + dot(before, after), SHARPEST), plus(before, 1, after));
  });
}

/**
 * The vector whose length is the area of a polygon, also of one with hollows. Seen from where it
 * points to, the corners follow each other anticlockwise.
 * @param {Point[]} polygon
 * @returns {Point}
 */
export function facing(polygon) {
  const first = at(polygon, 0);
  /** @type {Point} */
  let sum = [0, 0, 0];
  polygon.forEach((point, i) => {
    sum = plus(sum, 0.5, cross(minus(point, first), minus(at(polygon, i + 1), first)));
  });
  return sum;
}

/** @param {Point[]} polygon @returns {number} */
export const area = (polygon) => Math.hypot(...facing(polygon));

/**
 * The corners of the convex hull of points in a plane.
 * @param {Point[]} points
 * @param {Point} normal of the plane; the corners follow each other anticlockwise around it
 * @returns {Point[]}
 */
export function hull(points, normal) {
  const side = Math.abs(normal[0]) < 0.9 ? /** @type {Point} */ ([1, 0, 0]) : /** @type {Point} */ ([0, 1, 0]);
  const right = unit(cross(side, normal));
  const up = cross(normal, right);
  const flat = points
    .map((point) => ({ point, x: dot(point, right), y: dot(point, up) }))
    .sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (/** @type {typeof flat} */ ordered) => {
    /** @type {typeof flat} */
    const kept = [];
    for (const next of ordered) {
      for (;;) {
        const [a, b] = kept.slice(-2);
        if (!a || !b || (b.x - a.x) * (next.y - a.y) - (b.y - a.y) * (next.x - a.x) > 1e-9) break;
        kept.pop();
      }
      kept.push(next);
    }
    return kept.slice(0, -1);
  };
  return [...half(flat), ...half(flat.reverse())].map(({ point }) => point);
}

/** @template T @param {T[]} list @param {number} index counted around @returns {T} */
export function at(list, index) {
  return /** @type {T} */ (list[index % list.length]);
}
