// The colours to paint with, and the number of stickers of each.

import { inkOn } from "./colours.js";
import { make } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { UNPAINTED } from "./scheme.js";
import { t } from "./texts.js";

/** @typedef {{input: HTMLInputElement, swatch: HTMLElement, count: HTMLElement}} Chip */

const group = find("palette", HTMLFieldSetElement);

/**
 * The symbols in the order of the first scheme, if they are the same: they keep their places.
 * @param {string} symbols
 * @param {string} first
 * @returns {string[]}
 */
function inOrder(symbols, first) {
  const sorted = (/** @type {string} */ text) => [...text].sort().join("");
  return [...(sorted(symbols) === sorted(first) ? first : symbols)];
}

class Palette {
  /** The symbol to paint with; "?" un-paints. */
  colour = "";
  /** @type {Map<string, Chip>} */
  #chips = new Map();
  /** What is shown: the chips are made anew only for other symbols. */
  #shown = "";

  constructor() {
    model.addEventListener("scheme", () => this.#offer());
    model.addEventListener("stickers", () => this.#count());
    group.addEventListener("change", (event) => {
      if (event.target instanceof HTMLInputElement) this.colour = event.target.value;
    });
  }

  /** All symbols, as digits choose them: from 1, and 0 for un-painting. */
  get symbols() {
    return [...this.#chips.keys()];
  }

  /** @param {string} symbol to paint with */
  choose(symbol) {
    const chip = this.#chips.get(symbol);
    if (!chip) return;
    chip.input.checked = true;
    this.colour = symbol;
  }

  #offer() {
    const { puzzle, scheme } = model;
    if (!puzzle || !scheme) return;
    const shown = `${puzzle.name} ${scheme.name}`;
    if (shown !== this.#shown) {
      this.#shown = shown;
      for (const label of group.querySelectorAll("label")) label.remove();
      this.#chips.clear();
      const symbols = inOrder(scheme.symbols, puzzle.schemes[0]?.symbols ?? "");
      for (const symbol of symbols) this.#add(symbol, scheme.words[symbol] ?? symbol);
      this.#add(UNPAINTED, t("paint.eraser"));
      this.choose(this.#chips.has(this.colour) ? this.colour : (symbols[0] ?? UNPAINTED));
    }
    for (const [symbol, { swatch }] of this.#chips) {
      const colour = scheme.css[symbol];
      if (!colour) continue;
      swatch.style.background = colour;
      swatch.style.color = inkOn(colour);
    }
    this.#count();
  }

  /** @param {string} symbol @param {string} name */
  #add(symbol, name) {
    const id = `count-${this.#chips.size}`;
    const named = { "aria-label": name, "aria-describedby": id };
    const input = make("input", { type: "radio", name: "colour", value: symbol, ...named });
    const letter = symbol === UNPAINTED ? "" : symbol;
    const swatch = make("span", { class: "swatch" }, letter);
    const count = make("span", { class: "count", id });
    group.append(make("label", { class: "chip", title: name }, input, swatch, count));
    this.#chips.set(symbol, { input, swatch, count });
  }

  #count() {
    const { puzzle, scheme, stickers } = model;
    if (!puzzle || !scheme) return;
    const solved = scheme.fromFaces(puzzle.solved);
    for (const [symbol, { count, input }] of this.#chips) {
      const has = stickers.split(symbol).length - 1;
      const expected = solved.split(symbol).length - 1;
      const unpainted = symbol === UNPAINTED;
      const over = !unpainted && has > expected;
      count.textContent = unpainted ? t("paint.left", { count: has }) : `${has}/${expected}${over ? "!" : ""}`;
      input.parentElement?.classList.toggle("over", over);
      input.parentElement?.classList.toggle("full", !unpainted && has === expected);
    }
  }
}

export const palette = new Palette();
