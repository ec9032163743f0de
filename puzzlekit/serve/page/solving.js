// The section "Solve": how to search, and what a search tells while it is under way.

import { ApiError, api, told } from "./api.js";
import { make, several } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { unpaintedWords } from "./scheme.js";
import { remember, remembered } from "./store.js";
import { showAnswer } from "./summary.js";

/** @typedef {import("./summary.js").SolveRecord} SolveRecord */

const form = find("solving", HTMLFormElement);
const method = find("method", HTMLSelectElement);
const heuristic = find("heuristic", HTMLSelectElement);
const limit = find("limit", HTMLInputElement);
const about = find("about-method", HTMLElement);
const solve = find("solve-button", HTMLButtonElement);
const stop = find("stop", HTMLButtonElement);
const bar = find("preparing", HTMLProgressElement);
const clock = find("clock", HTMLElement);
const words = find("solving-words", HTMLElement);
const list = find("improvements", HTMLOListElement);

/** The search that is under way. @type {AbortController | null} */
let running = null;
let timer = 0;
/** What the last search was of, as face letters. */
let searched = "";

function listen() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    start();
  });
  stop.addEventListener("click", () => end("Stopped."));
  method.addEventListener("change", () => {
    showHeuristics();
    keep();
  });
  heuristic.addEventListener("change", keep);
  limit.addEventListener("change", keep);
  model.addEventListener("puzzle", showMethods);
  model.addEventListener("puzzle", reset);
  model.addEventListener("stickers", () => {
    // The same state may only be seen in other colours.
    if (painted() !== searched) reset();
  });
  showMethods();
}

// --- how to search ---------------------------------------------------------------------------

function showMethods() {
  const methods = model.puzzle?.methods ?? [];
  const kept = remembered().solving?.[model.puzzle?.name ?? ""];
  const usual = methods.find((each) => each.default)?.name;
  const chosen = methods.some(({ name }) => name === kept?.method) ? kept?.method : usual;
  const options = methods.map(({ name }) => new Option(name, name, false, name === chosen));
  method.replaceChildren(...options);
  limit.value = kept?.seconds ?? "";
  showHeuristics(kept?.heuristic);
}

/** @param {string} [kept] the one to choose, if the method has it */
function showHeuristics(kept) {
  const chosen = model.puzzle?.methods.find(({ name }) => name === method.value);
  const names = chosen?.heuristics ?? [];
  heuristic.replaceChildren(...names.map((name) => new Option(name, name, false, name === kept)));
  about.textContent = chosen?.title ?? "";
}

function keep() {
  if (!model.puzzle) return;
  const choice = { method: method.value, heuristic: heuristic.value, seconds: limit.value };
  remember({ solving: { ...remembered().solving, [model.puzzle.name]: choice } });
}

// --- searching -------------------------------------------------------------------------------

async function start() {
  const { puzzle, scheme, stickers } = model;
  if (!puzzle || !scheme) return;
  reset();
  const missing = unpaintedWords(stickers);
  if (missing) return say(`${missing}.`, "wrong");
  searched = painted();
  running = new AbortController();
  const { signal } = running;
  const timeout = limit.value === "" ? {} : { timeout: limit.valueAsNumber };
  const how = { method: method.value, heuristic: heuristic.value, ...timeout };
  const body = { stickers, scheme: scheme.symbols, ...how };
  stop.disabled = false;
  say("Searching …");
  runClock();
  try {
    const path = `puzzles/${encodeURIComponent(puzzle.name)}/solve`;
    for await (const { event, data } of api.events(path, body, signal)) {
      if (signal.aborted) return;
      hear(event, data);
    }
    if (!signal.aborted && running) end("The search broke off.");
  } catch (cause) {
    if (signal.aborted) return;
    if (!(cause instanceof ApiError)) throw cause;
    fail(cause.record);
  }
}

/** @param {string} event @param {any} data */
function hear(event, data) {
  bar.hidden = event !== "preparing";
  if (event === "preparing") {
    // Without a value the bar only shows that something goes on.
    if (data.share) bar.value = data.share;
    else bar.removeAttribute("value");
    say(`Preparing tables, which is needed once: ${data.what}`);
  } else if (event === "bound") {
    const best = data.best === null ? "" : `best ${data.best}, `;
    say(`Searching: ${best}none below ${data.at_least}; ${several(data.nodes, "node")}.`);
  } else if (event === "answer") {
    answer(data);
    say("Searching for shorter answers …");
  } else if (event === "done") {
    answer(data);
    end(data.moves.length ? "" : "It is solved already.");
  } else if (event === "error") fail(data);
}

/** @param {SolveRecord} record */
function answer(record) {
  showAnswer(record);
  const found = record.improvements.filter(({ length }, i, all) => length !== all[i - 1]?.length);
  const items = found.map(({ seconds, length }) =>
    make("li", {}, make("strong", {}, `${length}`), ` at ${brief(seconds)} s`),
  );
  list.replaceChildren(...(record.moves.length ? items : []));
}

/** @param {import("./api.js").ErrorRecord} record */
function fail(record) {
  if (record.kind === "busy") {
    const why = "one that was stopped finishes its table first";
    return end(`Other searches are under way here (${why}): try again in a moment.`, "wrong");
  }
  const [first = "", ...more] = told(record);
  end(first, "wrong");
  for (const line of more) words.append(make("p", {}, line));
  if (record.hint) words.append(make("p", { class: "help" }, record.hint));
}

/** Ends a search, if one is under way. @param {string} text @param {string} [kind] a class */
function end(text, kind) {
  running?.abort();
  running = null;
  window.clearInterval(timer);
  // A button that is disabled loses the focus.
  const hadFocus = document.activeElement === stop;
  stop.disabled = true;
  if (hadFocus) solve.focus();
  bar.hidden = true;
  say(text, kind);
}

/** @returns {string} what is painted, as face letters */
function painted() {
  return model.scheme?.toFaces(model.stickers) ?? "";
}

/** Ends a search of what is no longer painted, and forgets what it told. */
function reset() {
  searched = "";
  end("");
  clock.textContent = "";
  list.replaceChildren();
}

function runClock() {
  const began = performance.now();
  const show = () => {
    clock.textContent = `${((performance.now() - began) / 1000).toFixed(1)} s`;
  };
  show();
  timer = window.setInterval(show, 100);
}

/** @param {string} text @param {string} [kind] a class */
function say(text, kind = "") {
  words.className = kind;
  words.replaceChildren(...(text ? [make("p", {}, text)] : []));
}

/**
 * Seconds with two digits that say something.
 * @param {number} seconds
 * @returns {string}
 */
function brief(seconds) {
  return seconds >= 10 ? seconds.toFixed(0) : `${Number(seconds.toPrecision(2))}`;
}

listen();
