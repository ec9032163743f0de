// A puzzle in space, drawn on a canvas: it is seen from any side, and its layers turn.
//
// A turn cuts the puzzle by one or two parallel planes. Each part is convex and stays between its
// planes, so the parts farther from the eye are drawn first, and of each part what faces the eye.

import { area, at, cross, dot, facing, hull, inset, middle, minus, plus, rotation, unit } from "./space.js";

/** @typedef {import("./space.js").Point} Point */
/** @typedef {{x: number, y: number}} Spot a place on the canvas, in CSS pixels */

/**
 * @typedef {[number, number, number, number, number, number]} TurnRecord the axis of a layer, its
 *   angle, anticlockwise from outside, and where the layer begins and ends along the axis
 * @typedef {{corners: Point[][], turns: Record<string, TurnRecord>, moved?: Record<string, number[]>}} SolidRecord
 * @typedef {{name: string, axis: Point, angle: number, first: number, last: number, moved: Set<number> | null}} Turn
 */

const EYE = 6; // distance of the eye from the middle of the puzzle, whose radius is 1
const NEAR = 2e-3;
const GAP = 0.055; // between stickers, relative to their size
const ROUND = 0.13;
const CORE = 0.8; // the size of what is inside
const LIGHT = unit([-0.35, 0.7, 0.65]);
const STEEPEST = 1.45;

/** The geometry of a puzzle: what does not change when it turns. */
export class Solid {
  /** @param {SolidRecord} record */
  constructor({ corners, turns, moved = {} }) {
    // All outlines anticlockwise as seen from outside.
    this.outlines = corners.map((outline) =>
      dot(facing(outline), middle(outline)) > 0 ? outline : [...outline].reverse(),
    );
    this.middles = this.outlines.map(middle);
    this.stickers = this.outlines.map((outline) => {
      const size = Math.sqrt(area(outline));
      return { shape: inset(outline, GAP * size), round: ROUND * size };
    });
    /** @type {Map<string, Turn>} */
    this.turns = new Map();
    for (const [name, [x, y, z, angle, first, last]] of Object.entries(turns)) {
      const own = moved[name] ? new Set(moved[name]) : null;
      this.turns.set(name, { name, axis: [x, y, z], angle, first, last, moved: own });
    }
  }

  /** @param {Turn} turn @param {number} facelet @returns {-1 | 0 | 1} below, in or above its layer */
  side({ axis, first, last, moved }, facelet) {
    if (moved) return moved.has(facelet) ? 0 : -1;
    const depth = dot(axis, at(this.middles, facelet));
    return depth < first ? -1 : depth > last ? 1 : 0;
  }

  /** What a turn makes of the stickers. @param {Turn} turn @param {string} stickers @returns {string} */
  turned(turn, stickers) {
    const turns = rotation(turn.axis, turn.angle);
    const result = [...stickers];
    this.middles.forEach((from, facelet) => {
      if (this.side(turn, facelet)) return;
      const to = turns(from);
      const there = this.middles.findIndex((each) => Math.hypot(...minus(each, to)) < 10 * NEAR);
      if (there >= 0) result[there] = stickers[facelet] ?? "";
    });
    return result.join("");
  }
}

/**
 * @typedef {object} Options
 * @property {string} [label] what a screen reader says of it; without, it is left out
 * @property {(facelet: number) => void} [onTap] when a sticker is tapped
 * @property {(turn: Turn) => void} [onTurn] when a layer has been dragged into a new place
 * @property {boolean} [still] whether it cannot be rotated
 */

export class SolidView {
  #canvas = document.createElement("canvas");
  #options;
  /** @type {Solid | null} */
  #solid = null;
  /** @type {string[]} the colour of each facelet, "#rrggbb" */
  #colours = [];
  /** What is between the stickers. @type {number[]} */
  #plate = [];
  /** @type {{turn: Turn, angle: number} | null} */
  #turning = null;
  /** @type {Turn | null} the turn that an arrow announces */
  #announced = null;
  #home = { yaw: 0, pitch: 0 };
  #yaw = 0;
  #pitch = 0;
  #asked = 0;
  #animation = 0;
  /** What was drawn last, the nearest last. @type {{facelet: number, spots: Spot[]}[]} */
  #drawn = [];

  /** @param {Element} container @param {Options} [options] */
  constructor(container, options = {}) {
    this.#options = options;
    const { label, still } = options;
    this.#canvas.className = "solid";
    if (label) {
      this.#canvas.setAttribute("role", "img");
      this.#canvas.setAttribute("aria-label", label);
    } else this.#canvas.setAttribute("aria-hidden", "true");
    container.append(this.#canvas);
    new ResizeObserver(() => this.#ask()).observe(this.#canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#ask());
    if (!still) this.#listen();
  }

  get canvas() {
    return this.#canvas;
  }

  get solid() {
    return this.#solid;
  }

  /**
   * @param {Solid | null} solid
   * @param {import("./view.js").View} view where the eye is at first
   */
  layout(solid, { latitude, longitude }) {
    this.#solid = solid;
    this.#turning = this.#announced = null;
    this.#home = { yaw: (-longitude * Math.PI) / 180, pitch: (latitude * Math.PI) / 180 };
    this.home();
  }

  /** Looks from where the eye was at first. */
  home() {
    this.#yaw = this.#home.yaw;
    this.#pitch = this.#home.pitch;
    this.#ask();
  }

  /** @param {number} yaw @param {number} pitch how far the puzzle rotates, in radians */
  rotate(yaw, pitch) {
    this.#yaw += yaw;
    this.#pitch = Math.max(-STEEPEST, Math.min(STEEPEST, this.#pitch + pitch));
    this.#ask();
  }

  /** @param {string[]} colours the colour of each facelet, "#rrggbb" */
  show(colours) {
    cancelAnimationFrame(this.#animation);
    this.#colours = colours;
    this.#turning = null;
    this.#ask();
  }

  /** Draws an arrow for a turn. @param {Turn | null} turn */
  announce(turn) {
    this.#announced = turn;
    this.#ask();
  }

  /**
   * Turns a layer of what is shown.
   * @param {Turn} turn
   * @param {{from?: number, to?: number, time: number}} way angles, and milliseconds
   * @returns {Promise<void>} kept when it has arrived; never, if something else is shown before
   */
  animate(turn, { from = 0, to = turn.angle, time }) {
    cancelAnimationFrame(this.#animation);
    const start = performance.now();
    return new Promise((done) => {
      const step = (/** @type {number} */ now) => {
        const share = Math.min(1, Math.max(0, (now - start) / time));
        const eased = share * share * (3 - 2 * share);
        this.#turning = { turn, angle: from + (to - from) * eased };
        this.#draw();
        if (share < 1) this.#animation = requestAnimationFrame(step);
        else done();
      };
      step(start);
    });
  }

  // --- the pointer ---------------------------------------------------------------------------

  #listen() {
    /** @type {{x: number, y: number, facelet: number | null, moved: boolean, drag: Drag | null} | null} */
    let grip = null;
    const canvas = this.#canvas;
    canvas.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      const { offsetX: x, offsetY: y } = event;
      grip = { x, y, facelet: this.#at({ x, y }), moved: false, drag: null };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!grip || !event.isPrimary) return;
      const [dx, dy] = [event.offsetX - grip.x, event.offsetY - grip.y];
      if (!grip.moved) {
        if (Math.hypot(dx, dy) < 6) return;
        grip.moved = true;
        if (grip.facelet !== null && this.#options.onTurn) grip.drag = this.#grip(grip.facelet, dx, dy);
      }
      if (grip.drag) {
        const { turn, x, y } = grip.drag;
        this.#turning = { turn, angle: (dx * x + dy * y) / (x * x + y * y) };
        this.#ask();
      } else {
        const size = Math.min(canvas.clientWidth, canvas.clientHeight);
        this.rotate((3 * dx) / size, (3 * dy) / size);
        [grip.x, grip.y] = [event.offsetX, event.offsetY];
      }
    });
    const end = () => {
      const held = grip;
      grip = null;
      if (!held) return;
      if (held.drag) this.#release();
      else if (!held.moved && held.facelet !== null) this.#options.onTap?.(held.facelet);
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", () => {
      grip = null;
      this.show(this.#colours);
    });
    canvas.addEventListener("dblclick", (event) => {
      if (this.#at({ x: event.offsetX, y: event.offsetY }) === null) this.home();
    });
  }

  /** @typedef {{turn: Turn, x: number, y: number}} Drag a turn, and how a radian moves the grip */

  /**
   * The layer that a stroke over a sticker drags: the thinnest one that moves it along.
   * @param {number} facelet @param {number} dx @param {number} dy
   * @returns {Drag | null}
   */
  #grip(facelet, dx, dy) {
    const solid = this.#solid;
    if (!solid) return null;
    const from = at(solid.middles, facelet);
    const length = Math.hypot(dx, dy);
    /** @type {Drag | null} */
    let best = null;
    let most = 0;
    for (const turn of solid.turns.values()) {
      if (solid.side(turn, facelet) || turn.last - turn.first > 1.2) continue;
      const step = 1e-3;
      const [a, b] = [from, rotation(turn.axis, step)(from)].map((each) => this.#spot(this.#seen(each)));
      if (!a || !b) continue;
      const [x, y] = [(b.x - a.x) / step, (b.y - a.y) / step];
      const along = Math.abs(x * dx + y * dy) / length - 40 * (turn.last - turn.first);
      if (along > most && Math.hypot(x, y) > 1) [best, most] = [{ turn, x, y }, along];
    }
    return best;
  }

  /** Lets the dragged layer go on to the nearest place. */
  async #release() {
    const [held, solid] = [this.#turning, this.#solid];
    if (!held || !solid) return;
    const { axis, first, last } = held.turn;
    /** @type {{turn: Turn | null, angle: number}} */
    let nearest = { turn: null, angle: 0 };
    const off = (/** @type {number} */ angle) => Math.abs(angle - held.angle);
    for (const turn of solid.turns.values()) {
      const same = dot(turn.axis, axis) > 1 - NEAR && Math.abs(turn.first - first) + Math.abs(turn.last - last) < NEAR;
      if (!same) continue;
      for (const angle of [turn.angle, turn.angle - 2 * Math.PI, turn.angle + 2 * Math.PI]) {
        if (off(angle) < off(nearest.angle)) nearest = { turn, angle };
      }
    }
    await this.animate(held.turn, { from: held.angle, to: nearest.angle, time: 120 });
    if (nearest.turn) this.#options.onTurn?.(nearest.turn);
    else this.show(this.#colours);
  }

  /** @param {Spot} spot @returns {number | null} the facelet drawn there */
  #at(spot) {
    return this.#drawn.findLast(({ spots }) => contains(spots, spot))?.facelet ?? null;
  }

  // --- drawing -------------------------------------------------------------------------------

  /** @param {Point} point @returns {Point} as seen by the eye, which is at [0, 0, EYE] */
  #seen([x, y, z]) {
    const [sin, cos] = [Math.sin(this.#yaw), Math.cos(this.#yaw)];
    const [tilt, level] = [Math.sin(this.#pitch), Math.cos(this.#pitch)];
    const [across, near] = [x * cos + z * sin, z * cos - x * sin];
    return [across, y * level - near * tilt, y * tilt + near * level];
  }

  /** @param {Point} seen @returns {Spot} */
  #spot([x, y, z]) {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const scale = (0.48 * Math.min(width, height) * Math.sqrt(EYE * EYE - 1)) / (EYE - z);
    return { x: width / 2 + scale * x, y: height / 2 - scale * y };
  }

  /** Draws as soon as the browser draws. */
  #ask() {
    cancelAnimationFrame(this.#asked);
    this.#asked = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    const canvas = this.#canvas;
    const pen = canvas.getContext("2d");
    if (!pen || !canvas.clientWidth) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    pen.scale(ratio, ratio);
    pen.lineJoin = pen.lineCap = "round";
    this.#drawn = [];
    this.#plate = rgb(getComputedStyle(canvas).getPropertyValue("--body") || "#202329");
    const solid = this.#solid;
    if (!solid) return;
    if (this.#turning?.turn.moved) this.#drawCore(pen, solid);
    for (const part of this.#parts(solid)) this.#drawPart(pen, solid, part);
    if (this.#announced && !this.#turning) this.#drawArrow(pen, solid, this.#announced);
  }

  /** @typedef {{facelets: number[], placed: (point: Point) => Point, cuts: Point[][]}} Part */

  /** The convex parts of the puzzle, the farthest first. @param {Solid} solid @returns {Part[]} */
  #parts(solid) {
    const facelets = [...solid.outlines.keys()];
    if (!this.#turning) return [{ facelets, placed: (point) => point, cuts: [] }];
    const { turn, angle } = this.#turning;
    const { axis, first, last, moved } = turn;
    const cut = (/** @type {number} */ depth, /** @type {1 | -1} */ side) => {
      const on = solid.outlines.flat().filter((point) => Math.abs(dot(axis, point) - depth) < NEAR);
      const corners = hull(on, axis);
      return moved || corners.length < 3 ? [] : [side > 0 ? corners : corners.reverse()];
    };
    const eye = dot(this.#seen(axis), [0, 0, EYE]);
    const parts = ([-1, 0, 1]).map((side) => ({
      facelets: facelets.filter((facelet) => solid.side(turn, facelet) === side),
      placed: side ? (/** @type {Point} */ point) => point : rotation(axis, angle),
      cuts: [...(side >= 0 ? cut(side ? last : first, -1) : []), ...(side <= 0 ? cut(side ? first : last, 1) : [])],
    }));
    const [below, layer, above] = /** @type {[Part, Part, Part]} */ (parts);
    const ordered = eye > last ? [below, layer, above] : eye < first ? [above, layer, below] : [below, above, layer];
    return ordered.filter((part) => part.facelets.length);
  }

  /** What is seen inside where no plane cuts the puzzle. @param {CanvasRenderingContext2D} pen @param {Solid} solid */
  #drawCore(pen, solid) {
    const inner = solid.outlines.flat().map((point) => this.#seen(plus([0, 0, 0], CORE, point)));
    pen.fillStyle = shaded(this.#plate, 0);
    trace(pen, hull(inner, [0, 0, 1]).map((each) => this.#spot(each)), 0);
    pen.fill();
  }

  /** @param {CanvasRenderingContext2D} pen @param {Solid} solid @param {Part} part */
  #drawPart(pen, solid, { facelets, placed, cuts }) {
    /** @param {Point[]} polygon */
    const shown = (polygon) => {
      const seen = polygon.map((point) => this.#seen(placed(point)));
      const normal = unit(facing(seen));
      const front = dot(normal, minus([0, 0, EYE], at(seen, 0))) > 0;
      return { spots: front ? seen.map((each) => this.#spot(each)) : null, light: dot(normal, LIGHT) };
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
      pen.fillStyle = shaded(rgb(this.#colours[facelet] ?? ""), light);
      const size = Math.min(this.#canvas.clientWidth, this.#canvas.clientHeight);
      trace(pen, spots, 0.45 * size * round);
      pen.fill();
      this.#drawn.push({ facelet, spots });
    }
  }

  /** An arrow around the layer, on the side of the eye. @param {CanvasRenderingContext2D} pen @param {Solid} solid @param {Turn} turn */
  #drawArrow(pen, solid, { axis, angle, first, last, moved }) {
    const points = moved ? solid.middles.filter((_, facelet) => moved.has(facelet)) : solid.outlines.flat();
    const inside = points.filter((point) => {
      const depth = dot(axis, point);
      return depth > first - NEAR && depth < last + NEAR;
    });
    const depth = (first + last) / 2;
    const apart = inside.map((point) => Math.hypot(...plus(point, -dot(axis, point), axis)));
    const radius = Math.max(...apart) * 1.04;
    // The direction from the axis that is nearest to the eye, and the one a quarter turn on.
    const towards = this.#unseen([0, 0, 1]);
    const near = unit(plus(towards, -dot(axis, towards), axis));
    const next = cross(axis, near);
    const span = Math.min(Math.abs(angle), 2.1) * Math.sign(angle);
    /** @param {number} share */
    const spot = (share) => {
      const phi = (share - 0.5) * span;
      let point = plus([0, 0, 0], depth, axis);
      point = plus(plus(point, radius * Math.cos(phi), near), radius * Math.sin(phi), next);
      return this.#spot(this.#seen(point));
    };
    const line = Array.from({ length: 25 }, (_, i) => spot(i / 24));
    const [tip, before] = [at(line, 24), at(line, 20)];
    const [dx, dy] = [tip.x - before.x, tip.y - before.y];
    const length = Math.hypot(dx, dy) || 1;
    const size = 0.055 * Math.min(this.#canvas.clientWidth, this.#canvas.clientHeight);
    const [ux, uy] = [(dx / length) * size, (dy / length) * size];
    const style = getComputedStyle(this.#canvas);
    for (const [colour, width] of /** @type {[string, number][]} */ ([
      [style.getPropertyValue("--arrow-edge") || "#ffffff", 0.5 * size],
      [style.getPropertyValue("--arrow") || "#1d1f24", 0.26 * size],
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

  /** The inverse of `#seen`. @param {Point} seen @returns {Point} */
  #unseen([x, y, z]) {
    const [sin, cos] = [Math.sin(this.#yaw), Math.cos(this.#yaw)];
    const [tilt, level] = [Math.sin(this.#pitch), Math.cos(this.#pitch)];
    const near = z * level - y * tilt;
    return [x * cos - near * sin, y * level + z * tilt, x * sin + near * cos];
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
