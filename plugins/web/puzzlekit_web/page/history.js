// Undo and redo of all changes of the stickers.

import { model } from "./model.js";
import { recolour } from "./scheme.js";

/** @typedef {{stickers: string, source: "paint" | "program", scheme: import("./scheme.js").Scheme}} Moment */

/** @returns {Moment | null} */
function now() {
  const { stickers, source, scheme } = model;
  return scheme && { stickers, source, scheme };
}

/** Tells by the event "change" that there is more or less to undo. */
class History extends EventTarget {
  /** @type {Moment[]} */
  #past = [];
  /** @type {Moment[]} */
  #future = [];
  /** What was there before the change that comes next. @type {Moment | null} */
  #last = null;
  #holding = false;

  constructor() {
    super();
    model.addEventListener("puzzle", () => {
      this.#past = [];
      this.#future = [];
      this.#last = now();
      this.#tell();
    });
    model.addEventListener("stickers", () => {
      if (!this.#holding) this.#note();
    });
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** All changes until `release` are one: the stickers painted by one stroke. */
  hold() {
    this.#holding = true;
  }

  release() {
    this.#holding = false;
    this.#note();
  }

  undo() {
    this.#step(this.#past, this.#future);
  }

  redo() {
    this.#step(this.#future, this.#past);
  }

  #note() {
    const here = now();
    // Another scheme does not change the stickers, although their symbols may change.
    const last = this.#last;
    const alike = last && here && last.scheme.symbols === here.scheme.symbols;
    if (alike && last.stickers !== here.stickers) {
      this.#past.push(last);
      this.#future = [];
    }
    this.#last = here;
    this.#tell();
  }

  /** @param {Moment[]} from @param {Moment[]} to */
  #step(from, to) {
    const moment = from.pop();
    const here = now();
    if (!moment || !here) return;
    to.push(here);
    this.#last = null;
    this.#holding = true;
    const { stickers, source, scheme } = moment;
    model.setStickers(recolour(stickers, scheme, here.scheme, source), source);
    this.#holding = false;
    this.#last = now();
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}

export const history = new History();
