// Helpers that make elements, and texts with a marked part.

const SVG = "http://www.w3.org/2000/svg";
const AROUND = 18; // characters that are shown on either side of what is marked

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * Part of a drawing.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number>} [attributes]
 * @returns {SVGElementTagNameMap[T]}
 */
export function makeSVG(tag, attributes = {}) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, `${value}`);
  return made;
}

/**
 * The part of a text around an error, which is marked.
 * @param {string} text
 * @param {number} column where that begins, from 1
 * @param {string} [token] what is wrong
 * @returns {HTMLParagraphElement}
 */
export function pointedAt(text, column, token) {
  const start = column - 1;
  const end = start + Math.max(1, token?.length ?? 1);
  const first = Math.max(0, start - AROUND);
  const before = (first ? "…" : "") + text.slice(first, start);
  const after = text.slice(end, end + AROUND) + (end + AROUND < text.length ? "…" : "");
  const mark = make("mark", {}, text.slice(start, end) || " ");
  return make("p", { class: "pointed" }, make("code", {}, before, mark, after));
}
