// The moves on display, from the server or from the user, with a line about them.

import { make } from "./elements.js";
import { find } from "./find.js";
import { stepNames } from "./names.js";
import { steps } from "./steps.js";
import { said, t } from "./texts.js";

/**
 * @typedef {object} Part a phase of a method; its moves are `first` to `last` - 1
 * @property {string} name
 * @property {string} goal
 * @property {boolean} direct whether the goal can be seen on the puzzle after its moves
 * @property {number} first
 * @property {number} last
 */

/**
 * @typedef {object} SolveRecord the used fields of an answer of the server
 * @property {string[]} moves
 * @property {string[]} frames
 * @property {string} setup
 * @property {Part[]} parts
 * @property {{name: string, goal: string, moves: string[]}[]} phases
 * @property {string} heuristic the heuristics; empty for a step method
 * @property {string} method
 * @property {string} metric
 * @property {object | null} [goal] the goal; without it, the puzzle is solved
 * @property {number} length
 * @property {Record<string, number>} lengths
 * @property {number} nodes
 * @property {number} seconds
 * @property {{seconds: number, length: number}[]} improvements
 * @property {boolean} optimal
 * @property {number} at_least
 */

const region = find("solution", HTMLElement);
const summary = find("summary", HTMLElement);
const found = find("found", HTMLElement);
const improvements = find("improvements", HTMLOListElement);
const phases = find("phases", HTMLUListElement);

/**
 * Shows an answer of the server.
 * @param {SolveRecord} record
 * @param {string} what was to be solved: a goal
 */
export function showAnswer(record, what) {
  const end = record.goal ? t("at-goal.named", { what }) : t("solved");
  // A method that also solves the inverse has phases that are not together in the answer.
  const apart = record.heuristic || record.parts.length !== record.phases.length;
  const parts = apart ? [] : record.parts;
  const names = record.heuristic ? [] : stepNames(record.method, apart ? record.phases : parts);
  const marks = parts.map(({ first, last }, i) => ({ first, last, name: names[i] ?? "" }));
  steps.show({ ...record, marks, solved: true, end });
  summary.replaceChildren(headline(record));
  found.textContent = how(record);
  improvements.replaceChildren(...progress(record));
  phases.replaceChildren(
    ...(record.heuristic ? record.parts.flatMap(phase) : record.phases.map((each, i) => step(each, names[i] ?? ""))),
  );
}

/** Shows moves that are someone's own. @param {import("./steps.js").Walk} walk @param {string} words */
export function showWalk(walk, words) {
  empty();
  region.classList.remove("hint");
  steps.show(walk);
  summary.append(make("p", {}, words));
}

/** Shows no moves. */
export function forget() {
  steps.show(null);
  empty();
}

function empty() {
  for (const each of [summary, found, improvements, phases]) each.replaceChildren();
}

/** How long it is, and whether shorter ones may exist. @param {SolveRecord} record */
function headline({ goal, length, lengths, metric, moves, optimal, at_least: least }) {
  if (!moves.length) {
    return make("p", {}, make("strong", {}, t(goal ? "none.goal" : "none.solved")));
  }
  const count = make("strong", {}, t("moves", { count: moves.length }));
  const plain = Object.keys(lengths).length === 1 || /^moves$/i.test(metric);
  const only = plain && length === moves.length;
  const cost = length === moves.length ? metric : `${length} ${metric}`;
  // A bound far below the answer tells nobody anything.
  const open = t(2 * least > length ? "not-proven.least" : "not-proven", { least });
  const proven = optimal ? t("proven") : open;
  return make("p", {}, count, `${only ? "" : ` (${cost})`} · ${proven}`);
}

/** @param {SolveRecord} record @returns {string} */
function how({ length, lengths, method, metric, nodes, seconds }) {
  const all = Object.entries({ [metric]: length, ...lengths });
  const counts = all.map(([name, count]) => `${count} ${name}`).join(", ");
  return `${counts} · ${method}, ${seconds.toFixed(3)} s, ${t("nodes", { count: nodes })}`;
}

/** The lengths of the answers so far. @param {SolveRecord} record @returns {HTMLElement[]} */
function progress({ improvements: all, moves }) {
  if (!moves.length) return [];
  const shorter = all.filter(({ length }, i) => length !== all[i - 1]?.length);
  return shorter.map(({ seconds, length }) =>
    make("li", {}, make("strong", {}, `${length}`), ` ${t("at-second", { seconds: brief(seconds) })}`),
  );
}

/**
 * Seconds with two significant digits.
 * @param {number} seconds
 * @returns {string}
 */
function brief(seconds) {
  return seconds >= 10 ? seconds.toFixed(0) : `${Number(seconds.toPrecision(2))}`;
}

/**
 * The goal of one of several phases; empty if it cannot be seen on the puzzle.
 * @param {Part} part
 * @param {number} _index
 * @param {Part[]} all
 * @returns {HTMLElement[]}
 */
function phase({ name, goal, direct, first, last }, _index, all) {
  if (!direct || first === last || all.length === 1) return [];
  const range = t(last - first === 1 ? "range.one" : "range", { first: first + 1, last });
  return [make("li", {}, make("strong", {}, name), ` · ${range}: ${said(goal)}`)];
}

/** A step of a step method. @param {{moves: string[]}} found @param {string} name */
function step({ moves }, name) {
  const own = moves.join(" ") || t("no-moves-needed");
  return make("li", {}, make("strong", {}, name), ` · ${own}`);
}
