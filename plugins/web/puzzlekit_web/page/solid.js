// A puzzle in space on a canvas: it is seen from any side, and its layers turn.

import { Scene, eased } from "./scene.js";
import { NEAR, area, at, dot, facing, inset, middle, minus, rotation } from "./space.js";

/** @typedef {import("./space.js").Point} Point */
/** @typedef {import("./scene.js").Eye} Eye */

/**
 * @typedef {[number, number, number, number, number, number]} TurnRecord the axis of a layer, its
 *   angle, anticlockwise from outside, and where the layer begins and ends along the axis
 * @typedef {{corners: Point[][], turns: Record<string, TurnRecord>, moved?: Record<string, number[]>}} SolidRecord
 * @typedef {{name: string, axis: Point, angle: number, first: number, last: number, moved: Set<number> | null}} Turn
 */

const GAP = 0.055; // between stickers, relative to their size
const ROUND = 0.13;
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
  #scene = new Scene();
  #home = { yaw: 0, pitch: 0 };
  #asked = 0;
  #animation = 0;

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

  /** What is drawn. */
  get scene() {
    return this.#scene;
  }

  get solid() {
    return this.#scene.solid;
  }

  /**
   * @param {Solid | null} solid
   * @param {import("./view.js").View} view where the eye is at first
   */
  layout(solid, { latitude, longitude }) {
    this.#scene.solid = solid;
    this.#scene.turning = this.#scene.announced = null;
    this.#home = { yaw: (-longitude * Math.PI) / 180, pitch: (latitude * Math.PI) / 180 };
    this.home();
  }

  /** Looks from where the eye was at first. */
  home() {
    this.#scene.yaw = this.#home.yaw;
    this.#scene.pitch = this.#home.pitch;
    this.#ask();
  }

  /** @param {number} yaw @param {number} pitch how far the puzzle rotates, in radians */
  rotate(yaw, pitch) {
    this.#scene.yaw += yaw;
    this.#scene.pitch = Math.max(-STEEPEST, Math.min(STEEPEST, this.#scene.pitch + pitch));
    this.#ask();
  }

  /** @param {string[]} colours the colour of each facelet, "#rrggbb" */
  show(colours) {
    cancelAnimationFrame(this.#animation);
    this.#scene.colours = colours;
    this.#scene.turning = null;
    this.#ask();
  }

  /** @param {boolean} both whether the back is drawn, too */
  showBack(both) {
    this.#scene.both = both;
    this.#ask();
  }

  /** Draws an arrow for a turn. @param {Turn | null} turn */
  announce(turn) {
    this.#scene.announced = turn;
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
        this.#scene.turning = { turn, angle: from + (to - from) * eased(share) };
        this.#draw();
        if (share < 1) this.#animation = requestAnimationFrame(step);
        else done();
      };
      step(start);
    });
  }

  // --- the pointer ---------------------------------------------------------------------------

  #listen() {
    /** @type {{x: number, y: number, facelet: number | null, eye: Eye | undefined, moved: boolean, drag: Drag | null} | null} */
    let grip = null;
    const canvas = this.#canvas;
    canvas.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      const { offsetX: x, offsetY: y } = event;
      grip = { x, y, ...this.#scene.at({ x, y }), moved: false, drag: null };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!grip || !event.isPrimary) return;
      const [dx, dy] = [event.offsetX - grip.x, event.offsetY - grip.y];
      if (!grip.moved) {
        if (Math.hypot(dx, dy) < 6) return;
        grip.moved = true;
        const { facelet, eye } = grip;
        if (facelet !== null && eye && this.#options.onTurn) grip.drag = this.#grip(facelet, eye, dx, dy);
      }
      if (grip.drag) {
        const { turn, x, y } = grip.drag;
        this.#scene.turning = { turn, angle: (dx * x + dy * y) / (x * x + y * y) };
        this.#ask();
      } else {
        const size = Math.min(canvas.clientWidth, canvas.clientHeight);
        this.rotate((3 * dx) / size, ((grip.eye?.behind ? -3 : 3) * dy) / size);
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
      this.show(this.#scene.colours);
    });
    canvas.addEventListener("dblclick", (event) => {
      if (this.#scene.at({ x: event.offsetX, y: event.offsetY }).facelet === null) this.home();
    });
  }

  /** @typedef {{turn: Turn, x: number, y: number}} Drag a turn, and how a radian moves the grip */

  /**
   * The layer that a stroke over a sticker drags: the thinnest one that moves it along.
   * @param {number} facelet @param {Eye} eye @param {number} dx @param {number} dy
   * @returns {Drag | null}
   */
  #grip(facelet, eye, dx, dy) {
    const solid = this.#scene.solid;
    if (!solid) return null;
    const from = at(solid.middles, facelet);
    const length = Math.hypot(dx, dy);
    /** @type {Drag | null} */
    let best = null;
    let most = 0;
    for (const turn of solid.turns.values()) {
      if (solid.side(turn, facelet) || turn.last - turn.first > 1.2) continue;
      const step = 1e-3;
      const [a, b] = [from, rotation(turn.axis, step)(from)].map((each) => eye.spot(eye.seen(each)));
      if (!a || !b) continue;
      const [x, y] = [(b.x - a.x) / step, (b.y - a.y) / step];
      const along = Math.abs(x * dx + y * dy) / length - 40 * (turn.last - turn.first);
      if (along > most && Math.hypot(x, y) > 1) [best, most] = [{ turn, x, y }, along];
    }
    return best;
  }

  /** Lets the dragged layer go on to the nearest place. */
  async #release() {
    const [held, solid] = [this.#scene.turning, this.#scene.solid];
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
    else this.show(this.#scene.colours);
  }

  // --- drawing -------------------------------------------------------------------------------

  /** Draws as soon as the browser draws. */
  #ask() {
    cancelAnimationFrame(this.#asked);
    this.#asked = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    const canvas = this.#canvas;
    const pen = canvas.getContext("2d");
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!pen || !width) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    pen.scale(ratio, ratio);
    this.#scene.draw(pen, width, height, this.look());
  }

  /** @returns {import("./scene.js").Look} the colours of the page */
  look() {
    const style = getComputedStyle(this.#canvas);
    const colour = (/** @type {string} */ name, /** @type {string} */ usual) => style.getPropertyValue(name) || usual;
    return {
      body: colour("--body", "#202329"),
      arrow: colour("--arrow", "#1d1f24"),
      edge: colour("--arrow-edge", "#ffffff"),
    };
  }
}
