// What is shown now: an answer of the server or someone's own moves, with a line about them.

import { make, several } from "./elements.js";
import { find } from "./find.js";
import { steps } from "./steps.js";

/**
 * @typedef {object} SolveRecord an answer of the server, as far as it is used here
 * @property {string[]} moves
 * @property {string[]} frames
 * @property {string} setup
 * @property {import("./steps.js").Part[]} parts
 * @property {string} method
 * @property {string} metric
 * @property {number} length
 * @property {Record<string, number>} lengths
 * @property {number} nodes
 * @property {number} seconds
 * @property {{seconds: number, length: number}[]} improvements
 * @property {boolean} optimal
 * @property {number} at_least
 */

const summary = find("summary", HTMLElement);

/** Shows an answer of the server. @param {SolveRecord} record */
export function showAnswer(record) {
  steps.show({ ...record, solved: true });
  summary.replaceChildren(...describe(record));
}

/** Shows moves that are someone's own. @param {import("./steps.js").Walk} walk @param {string} words */
export function showWalk(walk, words) {
  steps.show(walk);
  summary.replaceChildren(make("p", {}, words));
}

/** Shows no moves. */
export function forget() {
  steps.show(null);
  summary.replaceChildren();
}

/** @param {SolveRecord} record @returns {HTMLElement[]} */
function describe(record) {
  const { length, metric, moves, optimal, at_least: least } = record;
  if (!moves.length) return [make("p", { class: "length" }, "Solved already: 0 moves.")];
  const others = Object.entries(record.lengths).filter(([name]) => name !== metric);
  const also = others.map(([name, count]) => `${count} ${name}`).join(", ");
  const below = least ? `, none has less than ${least}` : "";
  const proven = optimal ? "proven optimal" : `not proven optimal${below}`;
  const took = `${record.seconds.toFixed(3)} s, ${several(record.nodes, "node")}`;
  return [
    make("p", { class: "length" }, make("strong", {}, `${length} ${metric}`), ` ${proven}`),
    make("p", { class: "help" }, [also, record.method, took].filter(Boolean).join(" · ")),
  ];
}
