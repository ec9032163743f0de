// The grid of a face over an image: it is dragged and sized by pointers, the wheel and keys.

import { makeSVG } from "./elements.js";
import { outline } from "./shapes.js";

/** @typedef {import("./face.js").Face} Face */
/** @typedef {import("./face.js").Place} Place */

/** Where a face is at first. @type {Place} */
export const USUAL = { x: 0.5, y: 0.5, size: 0.72 };

const SMALLEST = 0.12;
const LARGEST = 1.4;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Frame {
  /** @type {Place} */
  place = USUAL;
  /** Whether the image, and this with it, is shown as in a mirror. */
  mirrored = false;
  #stage;
  #group = makeSVG("g");
  /** The pointers that are down, by their numbers. @type {Map<number, {x: number, y: number}>} */
  #pointers = new Map();
  #sizing = false;

  /** @param {HTMLElement} stage a square @param {SVGSVGElement} svg over it */
  constructor(stage, svg) {
    this.#stage = stage;
    svg.append(this.#group);
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      stage.addEventListener(end, (event) => {
        if (event instanceof PointerEvent) this.#pointers.delete(event.pointerId);
      });
    }
    stage.addEventListener("wheel", (event) => {
      this.go({ size: this.place.size * Math.exp(-0.001 * event.deltaY) });
      event.preventDefault();
    });
    stage.addEventListener("keydown", (event) => this.#press(event));
  }

  /** @param {Face} face */
  layout(face) {
    const paths = ["under", "over"].flatMap((kind) =>
      face.stickers.map((sticker) => makeSVG("path", { class: kind, d: outline(sticker, 0.12 * sticker.radius, 0.3 * sticker.radius) })),
    );
    const handle = makeSVG("circle", { class: "handle", cx: face.width / 2, cy: face.height / 2, r: 0.035 });
    this.#group.replaceChildren(...paths, handle);
    this.go({});
  }

  /** @param {Partial<Place>} place what changes */
  go(place) {
    const within = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) => Math.max(least, Math.min(most, value));
    const { x, y, size } = { ...this.place, ...place };
    this.place = { x: within(x, 0, 1), y: within(y, 0, 1), size: within(size, SMALLEST, LARGEST) };
    const [left, top, scale] = [this.place.x, this.place.y, this.place.size].map((each) => each.toFixed(4));
    this.#group.setAttribute("transform", `translate(${left} ${top}) scale(${scale})`);
  }

  /** @param {PointerEvent} event @returns {{x: number, y: number}} in the image */
  #at({ clientX, clientY }) {
    const { left, top, width } = this.#stage.getBoundingClientRect();
    const x = (clientX - left) / width;
    return { x: this.mirrored ? 1 - x : x, y: (clientY - top) / width };
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    this.#stage.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, this.#at(event));
    this.#sizing = event.target instanceof Element && event.target.classList.contains("handle");
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#at(event);
    const { x, y, size } = this.place;
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    const fixed = other ?? (this.#sizing ? { x, y } : null);
    this.#pointers.set(event.pointerId, now);
    if (!fixed) return this.go({ x: x + now.x - before.x, y: y + now.y - before.y });
    // Away from the middle, or from the other finger.
    const far = (/** @type {{x: number, y: number}} */ p) => Math.max(0.02, Math.hypot(p.x - fixed.x, p.y - fixed.y));
    const by = far(now) / far(before);
    const part = other ? 0.5 : 0;
    this.go({ x: x + part * (now.x - before.x), y: y + part * (now.y - before.y), size: size * by });
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { x, y, size } = this.place;
    const [dx, dy] = ARROWS[event.key] ?? [0, 0];
    const step = event.shiftKey ? 0.05 : 0.01;
    if (dx || dy) this.go({ x: x + step * (this.mirrored ? -dx : dx), y: y + step * dy });
    else if (event.key === "+" || event.key === "=") this.go({ size: size * 1.03 });
    else if (event.key === "-") this.go({ size: size / 1.03 });
    else return;
    event.preventDefault();
  }
}
