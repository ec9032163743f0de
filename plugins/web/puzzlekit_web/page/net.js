// The unfolded net of a puzzle as SVG.

import { inkOn } from "./colours.js";
import { makeSVG } from "./elements.js";
import { sided } from "./names.js";
import { UNPAINTED } from "./scheme.js";
import { geometry, outline } from "./shapes.js";
import { t } from "./texts.js";

/** @typedef {import("./model.js").PuzzleRecord} PuzzleRecord */
/** @typedef {import("./scheme.js").Scheme} Scheme */

/**
 * @typedef {object} Drawn the elements of one sticker
 * @property {SVGGElement} group
 * @property {SVGPathElement} fill
 * @property {SVGTextElement} letter
 * @property {string} name
 */

export class Net {
  /** @type {Drawn[]} by facelet */
  #drawn = [];
  #svg;
  #interactive;

  /**
   * @param {Element} container which the net is put into
   * @param {object} options
   * @param {string} options.label its accessible name
   * @param {boolean} [options.interactive] whether single stickers can be reached
   */
  constructor(container, { label, interactive = false }) {
    this.#interactive = interactive;
    const role = interactive ? "grid" : "img";
    this.#svg = makeSVG("svg", { class: "net", role, "aria-label": label });
    container.append(this.#svg);
  }

  get svg() {
    return this.#svg;
  }

  /** Draws the net of a puzzle, with nothing painted. @param {PuzzleRecord} puzzle */
  layout(puzzle) {
    this.#svg.toggleAttribute("hidden", puzzle.written);
    this.#drawn = [];
    if (puzzle.written) return this.#svg.replaceChildren();
    const { width, height, stickers, plates, letters } = geometry(puzzle);
    this.#svg.setAttribute("viewBox", `0 0 ${width.toFixed(3)} ${height.toFixed(3)}`);
    // A wide net leaves the top of its room to the picture of how the puzzle is held.
    const free = typeof puzzle.net[0]?.[Math.max(...puzzle.net.map((row) => row.length)) - 1];
    const wide = width > 1.3 * height && free !== "number";
    this.#svg.classList.toggle("wide", wide);
    this.#svg.setAttribute("preserveAspectRatio", wide ? "xMidYMax" : "xMidYMid");
    const words = this.#interactive && sided(puzzle);
    const back = makeSVG("g", { "aria-hidden": "true" });
    for (const plate of plates) {
      back.append(makeSVG("path", { class: "plate", d: outline(plate, -0.09, 0.3) }));
    }
    for (const { text, at, size, anchor } of letters) {
      const letter = makeSVG("text", {
        class: "face",
        x: at.x,
        y: at.y,
        "font-size": size,
        "text-anchor": anchor,
      });
      letter.textContent = text;
      if (words) {
        const side = makeSVG("tspan", { class: "face-word" });
        side.textContent = ` ${t(`net.${text}`)}`;
        letter.append(side);
      }
      back.append(letter);
    }
    this.#drawn = [];
    /** @type {SVGGElement[]} */
    const rows = [];
    for (const sticker of stickers) {
      rows[sticker.row] ??= makeSVG("g", this.#interactive ? { role: "row" } : {});
      rows[sticker.row]?.append(this.#draw(sticker, puzzle));
    }
    this.#svg.replaceChildren(back, ...rows.filter(Boolean));
  }

  /**
   * @param {import("./shapes.js").Sticker} sticker
   * @param {PuzzleRecord} puzzle
   * @returns {SVGGElement}
   */
  #draw(sticker, puzzle) {
    const { facelet, centre, radius, column } = sticker;
    const group = makeSVG("g", { class: "sticker unpainted", "data-facelet": facelet });
    if (this.#interactive) {
      group.setAttribute("role", "gridcell");
      group.setAttribute("aria-colindex", `${column + 1}`);
      group.setAttribute("tabindex", "-1");
    }
    const fill = makeSVG("path", { class: "fill", d: outline(sticker, 0.05, 0.16) });
    const size = Math.min(0.56, 1.04 * radius);
    const letter = makeSVG("text", {
      class: "symbol",
      x: centre.x.toFixed(3),
      y: (centre.y + 0.36 * size).toFixed(3),
      "font-size": size.toFixed(3),
      "aria-hidden": "true",
    });
    // Two strokes, dark and light: a ring that is visible on every colour.
    const under = makeSVG("path", { class: "ring under", d: outline(sticker, 0.09, 0.14) });
    const ring = makeSVG("path", { class: "ring", d: outline(sticker, 0.09, 0.14) });
    group.append(fill, letter, under, ring);
    this.#drawn[facelet] = { group, fill, letter, name: puzzle.facelet_names[facelet] ?? "" };
    return group;
  }

  /** @param {string} stickers a symbol or "?" a facelet @param {Scheme} scheme */
  show(stickers, scheme) {
    this.#drawn.forEach(({ group, fill, letter, name }, i) => {
      const symbol = stickers[i] ?? UNPAINTED;
      const colour = scheme.css[symbol];
      group.classList.toggle("unpainted", colour === undefined);
      if (colour === undefined) {
        fill.removeAttribute("fill");
        letter.textContent = "";
      } else {
        fill.setAttribute("fill", colour);
        letter.setAttribute("fill", inkOn(colour));
        letter.textContent = symbol;
      }
      if (this.#interactive) {
        group.setAttribute("aria-label", `${name} ${scheme.words[symbol] ?? t("unpainted")}`);
      }
    });
  }

  /**
   * Gives a class to some stickers and removes it from all others.
   * @param {Iterable<number>} indices
   * @param {string} className
   */
  mark(indices, className) {
    const marked = new Set(indices);
    this.#drawn.forEach(({ group }, i) => {
      group.classList.toggle(className, marked.has(i));
    });
  }

  /** @param {number} facelet @returns {SVGGElement | undefined} what is drawn of it */
  sticker(facelet) {
    return this.#drawn[facelet]?.group;
  }
}
