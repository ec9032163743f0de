// The section "Solve": the options of a search, and its progress.

import { aim } from "./aim.js";
import { ApiError, api, connection, told } from "./api.js";
import { make } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { called } from "./names.js";
import { randomState } from "./random.js";
import { unpaintedWords } from "./scheme.js";
import { readTyped } from "./reading.js";
import { remember, remembered } from "./store.js";
import { showAnswer } from "./summary.js";
import { said, t } from "./texts.js";
import { preparing } from "./waiting.js";

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
const what = find("what", HTMLSelectElement);
const region = find("solution", HTMLElement);
const play = find("play", HTMLButtonElement);
const caption = find("caption", HTMLElement);

/** What is solved that is painted; other values are "", "goal:cross" and "steps:cfop". */
const PAINTED = "painted";

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
  what.addEventListener("change", () => {
    reset();
    showChoices();
    keep();
  });
  for (const field of [heuristic, metric, limit]) field.addEventListener("change", keep);
  model.addEventListener("puzzle", showMethods);
  model.addEventListener("puzzle", reset);
  model.addEventListener("scheme", tellChosen);
  aim.addEventListener("goal", () => {
    reset();
    offerWhat(aim.painted ? PAINTED : "");
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
  const kept = remembered().solving?.[model.puzzle?.name ?? ""];
  const usual = methods.find((each) => each.default)?.name;
  const names = methods.map(({ name }) => name);
  offer(method, names, names.includes(kept?.method ?? "") ? kept?.method : usual);
  offerWhat(kept?.what ?? "");
  limit.value = kept?.seconds ?? "";
  showChoices(kept);
}

/** @param {import("./store.js").Solving} [kept] what to choose, if the method has it */
function showChoices(kept) {
  const record = model.puzzle?.methods.find(({ name }) => name === method.value);
  const steps = stepMethod();
  offer(heuristic, record?.heuristics ?? [], kept?.heuristic);
  offer(metric, steps ? [steps.metric] : (record?.metrics ?? []), kept?.metric);
  method.disabled = heuristic.disabled = what.value !== "";
  const named = model.puzzle?.goals.find(({ name }) => name === goal());
  about.textContent = said(steps?.title ?? named?.title ?? record?.title ?? "");
  tellChosen();
}

/** Offers all that can be solved. @param {string} wanted */
function offerWhat(wanted) {
  const { goals = [], step_methods: methods = [] } = model.puzzle ?? {};
  const option = (/** @type {string} */ text, /** @type {string} */ value) => new Option(text, value);
  const inSteps = methods.map(({ name }) => option(called(name), `steps:${name}`));
  const only = goals.map(({ name }) => option(called(name), `goal:${name}`));
  what.replaceChildren(option(t("what.all"), ""));
  if (aim.painted) what.append(option(t("what.painted"), PAINTED));
  for (const [key, options] of /** @type {[string, HTMLOptionElement[]][]} */ ([
    ["what.steps", inSteps],
    ["what.only", only],
  ])) {
    const group = document.createElement("optgroup");
    group.label = t(key);
    group.append(...options);
    if (options.length) what.append(group);
  }
  what.value = wanted;
  if (what.selectedIndex < 0) what.value = "";
  what.hidden = what.options.length === 1;
}

/** The chosen step method, if one is chosen. */
function stepMethod() {
  const name = what.value.startsWith("steps:") ? what.value.slice(6) : "";
  return model.puzzle?.step_methods.find((each) => each.name === name);
}

/** The chosen goal, if one is chosen: its name, or its stickers. */
function goal() {
  if (what.value === PAINTED) return aim.stickers;
  return what.value.startsWith("goal:") ? what.value.slice(5) : "";
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
    what: what.value,
  };
  remember({ solving: { ...remembered().solving, [model.puzzle.name]: choice } });
  tellChosen();
}

/** Lists the options that differ from the defaults. */
function tellChosen() {
  const usual = model.puzzle?.methods.find((each) => each.default)?.name;
  const words = [colours, heuristic, metric].filter((each) => each.selectedIndex > 0);
  const parts = words.map((each) => each.selectedOptions[0]?.text ?? "");
  if (what.value === "" && method.value !== usual) parts.push(method.value);
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
  await Promise.all([model.first, randomState()]);
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
  const how = goal()
    ? { goal: goal(), metric: metric.value }
    : steps
      ? { steps: steps.name, metric: metric.value }
      : { method: method.value, heuristic: heuristic.value, metric: metric.value };
  const body = { stickers, scheme: scheme.symbols || null, ...how, ...timeout };
  showStop(true);
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
    say(revealed ? `${t("searching.early")} ${preparing(data)}` : preparing(data));
  } else if (event === "bound") {
    const { best, at_least: least } = data;
    const nodes = t("nodes", { count: data.nodes });
    say(t(best === null ? "searching.none" : "searching.best", { best, least, nodes }));
  } else if (event === "answer") {
    showAnswer(data, what.selectedOptions[0]?.text ?? "");
    say(t("searching.shorter"));
    reveal();
  } else if (event === "done") {
    showAnswer(data, what.selectedOptions[0]?.text ?? "");
    reveal();
    end(data.moves.length ? "" : t(goal() ? "already.goal" : "already.solved"));
  } else if (event === "error") fail(data);
}

/** Scrolls to the solution, once for each search, if its moves and Play are not visible. */
function reveal() {
  if (revealed) return;
  revealed = true;
  const top = region.getBoundingClientRect().top;
  // The buttons stay at the lower edge of a phone, whatever is above.
  const bottom = Math.max(...[play, caption].map((each) => each.getBoundingClientRect().bottom));
  if (top >= 0 && bottom <= innerHeight) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  region.scrollIntoView({ behavior: calm ? "auto" : "smooth" });
}

/** @param {import("./api.js").ErrorRecord} record */
function fail(record) {
  if (record.kind === "busy") {
    return end(t("busy"), "wrong");
  }
  // Without faults of the painted stickers, those of the goal are meant.
  end(told(record, !!model.report?.faults.length), "wrong");
  if (record.hint) words.append(make("p", { class: "help" }, said(record.hint)));
}

/** Ends a search, if one is under way. @param {string} text @param {string} [kind] a class */
function end(text, kind) {
  running?.abort();
  running = null;
  window.clearInterval(timer);
  clock.textContent = "";
  showStop(false);
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
}

/** During a search, Stop is in the place of Hint. @param {boolean} shown */
function showStop(shown) {
  const [old, next] = shown ? [hint, stop] : [stop, hint];
  // A hidden button loses the focus.
  const hadFocus = document.activeElement === old;
  old.hidden = true;
  next.hidden = false;
  if (hadFocus) next.focus({ preventScroll: true });
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
