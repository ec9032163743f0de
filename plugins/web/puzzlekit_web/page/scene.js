// A puzzle in space as it is drawn: from any side, or from two opposite ones at once.
//
// A turn cuts the puzzle by one or two parallel planes. Each part is convex and stays between its
// planes, so the parts farther from the eye are drawn first, and of each part what faces the eye.

import { NEAR, at, cross, dot, facing, hull, minus, plus, rotation, unit } from "./space.js";

/** @typedef {import("./space.js").Point} Point */
/** @typedef {import("./solid.js").Solid} Solid */
/** @typedef {import("./solid.js").Turn} Turn */
/** @typedef {{x: number, y: number}} Spot a place on the canvas, in CSS pixels */
/** @typedef {{body: string, arrow: string, edge: string}} Look colours, as CSS writes them */

const FAR = 6; // distance of the eye from the middle of the puzzle, whose radius is 1
const CORE = 0.8; // the size of what is inside
const LIGHT = unit([-0.35, 0.7, 0.65]);
const WIDE = 1.4; // longer side to shorter, from which both sides have the same size
const FRONT = 0.78; // the shares of a square that they have otherwise
const BACK = 0.44;

/** How far a layer has come after a share of its time: it starts and stops gently. @param {number} share */
export const eased = (share) => share * share * (3 - 2 * share);

/** A square on the canvas, and the side from which the puzzle in it is seen. */
export class Eye {
  #turned;
  #tilted;

  /**
   * @param {Spot} middle
   * @param {number} size
   * @param {{yaw: number, pitch: number, behind?: boolean}} way
   */
  constructor({ x, y }, size, { yaw, pitch, behind = false }) {
    [this.x, this.y, this.size, this.behind] = [x, y, size, behind];
    const [turn, tilt] = behind ? [yaw + Math.PI, -pitch] : [yaw, pitch];
    this.#turned = { sin: Math.sin(turn), cos: Math.cos(turn) };
    this.#tilted = { sin: Math.sin(tilt), cos: Math.cos(tilt) };
  }

  /** @param {Spot} spot @returns {boolean} whether it is in the square */
  holds({ x, y }) {
    return Math.max(Math.abs(x - this.x), Math.abs(y - this.y)) <= this.size / 2;
  }

  /** @param {Point} point @returns {Point} as seen from [0, 0, FAR] */
  seen([x, y, z]) {
    const { sin, cos } = this.#turned;
    const { sin: tilt, cos: level } = this.#tilted;
    const [across, near] = [x * cos + z * sin, z * cos - x * sin];
    return [across, y * level - near * tilt, y * tilt + near * level];
  }

  /** The inverse of `seen`. @param {Point} seen @returns {Point} */
  unseen([x, y, z]) {
    const { sin, cos } = this.#turned;
    const { sin: tilt, cos: level } = this.#tilted;
    const near = z * level - y * tilt;
    return [x * cos - near * sin, y * level + z * tilt, x * sin + near * cos];
  }

  /** @param {Point} seen @returns {Spot} */
  spot([x, y, z]) {
    const scale = (0.48 * this.size * Math.sqrt(FAR * FAR - 1)) / (FAR - z);
    return { x: this.x + scale * x, y: this.y - scale * y };
  }
}

export class Scene {
  /** @type {Solid | null} */
  solid = null;
  /** @type {string[]} the colour of each facelet, "#rrggbb" */
  colours = [];
  /** @type {{turn: Turn, angle: number} | null} the layer that turns, and how far it has come */
  turning = null;
  /** @type {Turn | null} the turn that an arrow announces */
  announced = null;
  yaw = 0;
  pitch = 0;
  /** Whether the back is seen, too. */
  both = false;
  /** Where it was drawn last. @type {Eye[]} */
  #eyes = [];
  /** What was drawn last, the nearest last. @type {{facelet: number, spots: Spot[], eye: Eye}[]} */
  #drawn = [];
  /** What is between the stickers. @type {number[]} */
  #plate = [];

  /** @param {Spot} spot @returns {{facelet: number | null, eye: Eye | undefined}} what is there, and who sees it */
  at(spot) {
    const found = this.#drawn.findLast(({ spots }) => contains(spots, spot));
    return found ?? { facelet: null, eye: this.#eyes.findLast((eye) => eye.holds(spot)) };
  }

  /** @returns {Scene} the same, to be drawn elsewhere */
  copy() {
    const { solid, colours, announced, yaw, pitch, both } = this;
    return Object.assign(new Scene(), { solid, colours, announced, yaw, pitch, both });
  }

  /** @param {CanvasRenderingContext2D} pen @param {number} width @param {number} height @param {Look} look */
  draw(pen, width, height, look) {
    pen.lineJoin = pen.lineCap = "round";
    this.#eyes = this.#placed(width, height);
    this.#drawn = [];
    this.#plate = rgb(look.body);
    const { solid, turning, announced } = this;
    if (!solid) return;
    for (const eye of this.#eyes) {
      if (turning?.turn.moved) this.#drawCore(pen, eye, solid);
      for (const part of this.#parts(eye, solid)) this.#drawPart(pen, eye, solid, part);
      if (announced && !turning) drawArrow(pen, eye, solid, announced, look);
    }
  }

  /** @param {number} width @param {number} height @returns {Eye[]} */
  #placed(width, height) {
    const [x, y, size] = [width / 2, height / 2, Math.min(width, height)];
    if (!this.both) return [new Eye({ x, y }, size, this)];
    const { yaw, pitch } = this;
    const back = { yaw, pitch, behind: true };
    if (width > WIDE * height) {
      const half = Math.min(x, size);
      return [new Eye({ x: x - half / 2, y }, half, this), new Eye({ x: x + half / 2, y }, half, back)];
    }
    if (height > WIDE * width) {
      const half = Math.min(y, size);
      return [new Eye({ x, y: y - half / 2 }, half, this), new Eye({ x, y: y + half / 2 }, half, back)];
    }
    const [front, inset] = [FRONT * size, BACK * size];
    const [left, top] = [x - size / 2, y - size / 2];
    return [
      new Eye({ x: left + front / 2, y: top + size - front / 2 }, front, this),
      new Eye({ x: left + size - inset / 2, y: top + inset / 2 }, inset, back),
    ];
  }

  /** @typedef {{facelets: number[], placed: (point: Point) => Point, cuts: Point[][]}} Part */

  /** The convex parts of the puzzle, the farthest first. @param {Eye} eye @param {Solid} solid @returns {Part[]} */
  #parts(eye, solid) {
    const facelets = [...solid.outlines.keys()];
    if (!this.turning) return [{ facelets, placed: (point) => point, cuts: [] }];
    const { turn, angle } = this.turning;
    const { axis, first, last, moved } = turn;
    const cut = (/** @type {number} */ depth, /** @type {1 | -1} */ side) => {
      const on = solid.outlines.flat().filter((point) => Math.abs(dot(axis, point) - depth) < NEAR);
      const corners = hull(on, axis);
      return moved || corners.length < 3 ? [] : [side > 0 ? corners : corners.reverse()];
    };
    const ahead = dot(eye.seen(axis), [0, 0, FAR]);
    const parts = ([-1, 0, 1]).map((side) => ({
      facelets: facelets.filter((facelet) => solid.side(turn, facelet) === side),
      placed: side ? (/** @type {Point} */ point) => point : rotation(axis, angle),
      cuts: [...(side >= 0 ? cut(side ? last : first, -1) : []), ...(side <= 0 ? cut(side ? first : last, 1) : [])],
    }));
    const [below, layer, above] = /** @type {[Part, Part, Part]} */ (parts);
    const ordered = ahead > last ? [below, layer, above] : ahead < first ? [above, layer, below] : [below, above, layer];
    return ordered.filter((part) => part.facelets.length);
  }

  /** What is seen inside where no plane cuts the puzzle. @param {CanvasRenderingContext2D} pen @param {Eye} eye @param {Solid} solid */
  #drawCore(pen, eye, solid) {
    const inner = solid.outlines.flat().map((point) => eye.seen(plus([0, 0, 0], CORE, point)));
    pen.fillStyle = shaded(this.#plate, 0);
    trace(pen, hull(inner, [0, 0, 1]).map((each) => eye.spot(each)), 0);
    pen.fill();
  }

  /** @param {CanvasRenderingContext2D} pen @param {Eye} eye @param {Solid} solid @param {Part} part */
  #drawPart(pen, eye, solid, { facelets, placed, cuts }) {
    /** @param {Point[]} polygon */
    const shown = (polygon) => {
      const seen = polygon.map((point) => eye.seen(placed(point)));
      const normal = unit(facing(seen));
      const front = dot(normal, minus([0, 0, FAR], at(seen, 0))) > 0;
      return { spots: front ? seen.map((each) => eye.spot(each)) : null, light: dot(normal, LIGHT) };
    };
    pen.lineWidth = 1;
    for (const polygon of [...cuts, ...facelets.map((each) => at(solid.outlines, each))]) {
      const { spots, light } = shown(polygon);
      if (!spots) continue;
      pen.fillStyle = pen.strokeStyle = shaded(this.#plate, light);
      trace(pen, spots, 0);
      pen.fill();
      pen.stroke();
    }
    for (const facelet of facelets) {
      const { shape, round } = at(solid.stickers, facelet);
      const { spots, light } = shown(shape);
      if (!spots) continue;
      pen.fillStyle = shaded(rgb(this.colours[facelet] ?? ""), light);
      trace(pen, spots, 0.45 * eye.size * round);
      pen.fill();
      this.#drawn.push({ facelet, spots, eye });
    }
  }
}

/**
 * An arrow around a layer, on the side of the eye.
 * @param {CanvasRenderingContext2D} pen @param {Eye} eye @param {Solid} solid @param {Turn} turn @param {Look} look
 */
function drawArrow(pen, eye, solid, { axis, angle, first, last, moved }, look) {
  const points = moved ? solid.middles.filter((_, facelet) => moved.has(facelet)) : solid.outlines.flat();
  const inside = points.filter((point) => {
    const depth = dot(axis, point);
    return depth > first - NEAR && depth < last + NEAR;
  });
  const depth = (first + last) / 2;
  const apart = inside.map((point) => Math.hypot(...plus(point, -dot(axis, point), axis)));
  const radius = Math.max(...apart) * 1.04;
  // The direction from the axis that is nearest to the eye, and the one a quarter turn on.
  const towards = eye.unseen([0, 0, 1]);
  const near = unit(plus(towards, -dot(axis, towards), axis));
  const next = cross(axis, near);
  const span = Math.min(Math.abs(angle), 2.1) * Math.sign(angle);
  /** @param {number} share */
  const spot = (share) => {
    const phi = (share - 0.5) * span;
    let point = plus([0, 0, 0], depth, axis);
    point = plus(plus(point, radius * Math.cos(phi), near), radius * Math.sin(phi), next);
    return eye.spot(eye.seen(point));
  };
  const line = Array.from({ length: 25 }, (_, i) => spot(i / 24));
  const [tip, before] = [at(line, 24), at(line, 20)];
  const [dx, dy] = [tip.x - before.x, tip.y - before.y];
  const length = Math.hypot(dx, dy) || 1;
  const size = 0.055 * eye.size;
  const [ux, uy] = [(dx / length) * size, (dy / length) * size];
  for (const [colour, width] of /** @type {[string, number][]} */ ([
    [look.edge, 0.5 * size],
    [look.arrow, 0.26 * size],
  ])) {
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    for (const { x, y } of line) pen.lineTo(x, y);
    pen.moveTo(tip.x - ux - uy, tip.y - uy + ux);
    pen.lineTo(tip.x, tip.y);
    pen.lineTo(tip.x - ux + uy, tip.y - uy - ux);
    pen.stroke();
  }
}

/** @param {string} colour "#rrggbb" */
function rgb(colour) {
  return [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16) || 0);
}

/** @param {number[]} colour @param {number} light -1 to 1 @returns {string} */
function shaded(colour, light) {
  const level = 0.84 + 0.16 * Math.max(0, light);
  return `rgb(${colour.map((part) => Math.round(part * level)).join(" ")})`;
}

/** A closed path with rounded corners. @param {CanvasRenderingContext2D} pen @param {Spot[]} spots @param {number} round */
function trace(pen, spots, round) {
  pen.beginPath();
  spots.forEach((spot, i) => {
    const [before, after] = [at(spots, i + spots.length - 1), at(spots, i + 1)];
    const near = (/** @type {Spot} */ other) => {
      const share = Math.min(0.5, round / (Math.hypot(other.x - spot.x, other.y - spot.y) || 1));
      return { x: spot.x + (other.x - spot.x) * share, y: spot.y + (other.y - spot.y) * share };
    };
    const [enter, leave] = [near(before), near(after)];
    pen.lineTo(enter.x, enter.y);
    pen.quadraticCurveTo(spot.x, spot.y, leave.x, leave.y);
  });
  pen.closePath();
}

/** @param {Spot[]} polygon @param {Spot} spot @returns {boolean} */
function contains(polygon, spot) {
  let inside = false;
  polygon.forEach((a, i) => {
    const b = at(polygon, i + 1);
    if (a.y > spot.y !== b.y > spot.y && spot.x < a.x + ((b.x - a.x) * (spot.y - a.y)) / (b.y - a.y)) {
      inside = !inside;
    }
  });
  return inside;
}
