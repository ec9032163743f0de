// The section "Solve": the options of a search, and its progress.

import { aim } from "./aim.js";
import { ApiError, api, connection, told } from "./api.js";
import { make } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { unpaintedWords } from "./scheme.js";
import { readTyped } from "./reading.js";
import { remember, remembered } from "./store.js";
import { showAnswer } from "./summary.js";
import { said, t } from "./texts.js";

const form = find("solving", HTMLFormElement);
const method = find("method", HTMLSelectElement);
const heuristic = find("heuristic", HTMLSelectElement);
const limit = find("limit", HTMLInputElement);
const about = find("about-method", HTMLElement);
const solve = find("solve-button", HTMLButtonElement);
const hint = find("hint", HTMLButtonElement);
const stop = find("stop", HTMLButtonElement);
const bar = find("preparing", HTMLProgressElement);
const clock = find("clock", HTMLElement);
const words = find("solving-words", HTMLElement);
const metric = find("metric", HTMLSelectElement);
const chosen = find("chosen", HTMLElement);
const colours = find("scheme", HTMLSelectElement);
const region = find("solution", HTMLElement);
const play = find("play", HTMLButtonElement);

/** The end of the value of a step method in the list of methods. */
const IN_STEPS = " steps";

/** The search that is under way. @type {AbortController | null} */
let running = null;
let timer = 0;
/** What is being loaded, in words. */
let loading = "";
/** The stickers of the last search, as face letters. */
let searched = "";
/** Whether its solution has been scrolled to. */
let revealed = false;

function listen() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    region.classList.remove("hint");
    if (!running) start();
  });
  hint.addEventListener("click", () => {
    region.classList.add("hint");
    if (searched !== painted() || !searched) start();
  });
  stop.addEventListener("click", () => end(t("stopped")));
  method.addEventListener("change", () => {
    showChoices();
    keep();
  });
  for (const field of [heuristic, metric, limit]) field.addEventListener("change", keep);
  model.addEventListener("puzzle", showMethods);
  model.addEventListener("puzzle", reset);
  model.addEventListener("scheme", tellChosen);
  aim.addEventListener("goal", () => {
    reset();
    showChoices();
  });
  model.addEventListener("stickers", () => {
    // It may be the same state in other colours.
    if (painted() !== searched) reset();
  });
  connection.addEventListener("loading", (event) => {
    if (event instanceof CustomEvent) showLoading(event.detail);
  });
  showMethods();
}

// --- how to search ---------------------------------------------------------------------------

function showMethods() {
  const methods = model.puzzle?.methods ?? [];
  const stepped = model.puzzle?.step_methods ?? [];
  const kept = remembered().solving?.[model.puzzle?.name ?? ""];
  const usual = methods.find((each) => each.default)?.name;
  const names = methods.map(({ name }) => name);
  const inSteps = stepped.map(({ name }) => `${name}${IN_STEPS}`);
  const known = [...names, ...inSteps].includes(kept?.method ?? "");
  offer(method, [...names, ...inSteps], known ? kept?.method : usual);
  for (const option of method.options) {
    if (!option.value.endsWith(IN_STEPS)) continue;
    option.text = t("in-steps", { name: option.value.slice(0, -IN_STEPS.length) });
  }
  limit.value = kept?.seconds ?? "";
  showChoices(kept);
}

/** @param {import("./store.js").Solving} [kept] what to choose, if the method has it */
function showChoices(kept) {
  const record = model.puzzle?.methods.find(({ name }) => name === method.value);
  const steps = stepMethod();
  offer(heuristic, record?.heuristics ?? [], kept?.heuristic);
  offer(metric, steps ? [steps.metric] : (record?.metrics ?? []), kept?.metric);
  method.disabled = aim.painted > 0;
  heuristic.disabled = steps !== undefined || method.disabled;
  about.textContent = said(steps?.title ?? record?.title ?? "");
  tellChosen();
}

/** The chosen step method, if one is chosen. */
function stepMethod() {
  if (aim.painted) return undefined;
  const name = method.value.endsWith(IN_STEPS) ? method.value.slice(0, -IN_STEPS.length) : "";
  return model.puzzle?.step_methods.find((each) => each.name === name);
}

/** @param {HTMLSelectElement} select @param {string[]} names @param {string} [wanted] */
function offer(select, names, wanted) {
  select.replaceChildren(...names.map((name) => new Option(name, name, false, name === wanted)));
}

function keep() {
  if (!model.puzzle) return;
  const choice = {
    method: method.value,
    heuristic: heuristic.value,
    metric: metric.value,
    seconds: limit.value,
  };
  remember({ solving: { ...remembered().solving, [model.puzzle.name]: choice } });
  tellChosen();
}

/** Lists the options that differ from the defaults. */
function tellChosen() {
  const usual = model.puzzle?.methods.find((each) => each.default)?.name;
  const words = [colours, heuristic, metric].filter((each) => each.selectedIndex > 0);
  const parts = words.map((each) => each.selectedOptions[0]?.text ?? "");
  if (aim.painted) parts.push(t("goal.chosen"));
  else if (method.value !== usual) parts.push(method.selectedOptions[0]?.text ?? "");
  if (limit.value) parts.push(`${limit.value} s`);
  chosen.textContent = parts.join(" · ");
}

/** Shows the loading of a site without a server. @param {{megabytes?: string, share: number}} news */
function showLoading({ megabytes, share }) {
  const text = megabytes ? t("loading.tables", { megabytes }) : t("loading.python");
  loading = share < 1 ? text : "";
  if (share > 0) bar.value = share;
  else bar.removeAttribute("value");
  bar.hidden = !loading;
  say(loading || (running ? t("searching") : ""));
}

// --- searching -------------------------------------------------------------------------------

async function start() {
  if (!(await readTyped())) return;
  const { puzzle, scheme, stickers } = model;
  if (!puzzle || !scheme) return;
  reset();
  const missing = unpaintedWords(stickers);
  if (missing) return say(missing, "wrong");
  searched = painted();
  revealed = false;
  running = new AbortController();
  const { signal } = running;
  const steps = stepMethod();
  const timeout = limit.value === "" ? {} : { timeout: limit.valueAsNumber };
  const how = aim.painted
    ? { goal: aim.stickers, metric: metric.value }
    : steps
      ? { steps: steps.name, metric: metric.value }
      : { method: method.value, heuristic: heuristic.value, metric: metric.value };
  const body = { stickers, scheme: scheme.symbols, ...how, ...timeout };
  stop.disabled = false;
  say(t("searching"));
  runClock();
  try {
    const path = `puzzles/${encodeURIComponent(puzzle.name)}/solve`;
    for await (const { event, data } of api.events(path, body, signal)) {
      if (signal.aborted) return;
      hear(event, data);
    }
    if (!signal.aborted && running) end(t("interrupted"));
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
    // Without a value, the bar only shows activity.
    if (data.share) bar.value = data.share;
    else bar.removeAttribute("value");
    say(t("preparing", { what: data.what }));
  } else if (event === "bound") {
    const { best, at_least: least } = data;
    const nodes = t("nodes", { count: data.nodes });
    say(t(best === null ? "searching.none" : "searching.best", { best, least, nodes }));
  } else if (event === "answer") {
    showAnswer(data);
    say(t("searching.shorter"));
    reveal();
  } else if (event === "done") {
    showAnswer(data);
    reveal();
    end(data.moves.length ? "" : t(aim.painted ? "already.goal" : "already.solved"));
  } else if (event === "error") fail(data);
}

/** Scrolls to the solution, once for each search, if its moves and Play are not visible. */
function reveal() {
  if (revealed) return;
  revealed = true;
  const top = region.getBoundingClientRect().top;
  const bottom = play.getBoundingClientRect().bottom;
  if (top >= 0 && bottom <= innerHeight) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  region.scrollIntoView({ behavior: calm ? "auto" : "smooth" });
}

/** @param {import("./api.js").ErrorRecord} record */
function fail(record) {
  if (record.kind === "busy") {
    return end(t("busy"), "wrong");
  }
  const [first = "", ...more] = told(record);
  end(first, "wrong");
  for (const line of more) words.append(make("p", {}, line));
  if (record.hint) words.append(make("p", { class: "help" }, said(record.hint)));
}

/** Ends a search, if one is under way. @param {string} text @param {string} [kind] a class */
function end(text, kind) {
  running?.abort();
  running = null;
  window.clearInterval(timer);
  // A disabled button loses the focus.
  const hadFocus = document.activeElement === stop;
  stop.disabled = true;
  if (hadFocus) solve.focus();
  bar.hidden = !loading;
  say(text || loading, kind);
}

/** @returns {string} the painted stickers, as face letters */
function painted() {
  return model.scheme?.toFaces(model.stickers) ?? "";
}

/** Ends a search for stickers that have changed, and clears its messages. */
function reset() {
  searched = "";
  end("");
  clock.textContent = "";
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

listen();
