// Requests of a site without a server, answered by a web worker with puzzlekit.

import { ApiError, connection } from "./failure.js";
import { t } from "./texts.js";

/** @typedef {{event: string, data: any, status?: number}} Told */

/**
 * @typedef {object} Asked a question that is not answered yet
 * @property {{id: number, puzzle: string, question: string, body: string}} message
 * @property {(told: Told) => void} hear
 * @property {boolean} searching whether it is a running search
 * @property {boolean} brief whether its first answer ends it
 */

const GRACE = 500; // ms in which a search that is given up may end by itself
const BRIEF = 8000; // the same for a brief one; to load Python again takes about as long

/** @type {Map<number, Asked>} */
const waiting = new Map();
/** Searches that were given up and are still under way: their timers. @type {Map<number, number>} */
const ending = new Map();
let count = 0;
let running = spawn();
/** Whether the files of the site are kept for a visit without a network. */
let kept = false;

function spawn() {
  const made = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }) => hear(data));
  made.addEventListener("error", ({ message }) => fail(message));
  return made;
}

/** @param {Told & {id: number}} told what the worker posts */
function hear(told) {
  const asked = waiting.get(told.id);
  if (told.event === "loading") load(told.data);
  else if (told.event === "failed") fail(told.data);
  else if (told.event !== "searching") {
    if (told.event !== "answer") settle(told.id);
    asked?.hear(told);
  } else if (asked) asked.searching = true;
  else giveUp(told.id); // nobody wanted it any more while it began
}

/** @param {{what: string, share: number}} detail */
function load(detail) {
  connection.dispatchEvent(new CustomEvent("loading", { detail }));
  // Not earlier, because it loads all files once more.
  if (detail.share < 1 || kept) return;
  kept = true;
  navigator.serviceWorker?.register("offline.js").catch(() => {});
}

/** @param {string} why */
function fail(why) {
  connection.dispatchEvent(new CustomEvent("loading", { detail: { share: 1 } }));
  const error = t("not-loaded", { why: why || t("not-loaded.file") });
  const record = { error, kind: "environment", hint: t("not-loaded.hint") };
  for (const asked of waiting.values()) asked.hear({ event: "error", data: record, status: 500 });
}

/**
 * A search cannot be interrupted. If it does not end soon, its worker is ended.
 * @param {number} id @param {boolean} [brief]
 */
function giveUp(id, brief) {
  ending.set(id, window.setTimeout(restart, brief ? BRIEF : GRACE));
}

/** @param {number} id of a search that has ended */
function settle(id) {
  clearTimeout(ending.get(id));
  ending.delete(id);
}

/** Ends the worker; another one answers what is left. */
function restart() {
  for (const id of ending.keys()) settle(id);
  running.terminate();
  running = spawn();
  for (const asked of waiting.values()) {
    asked.searching = false;
    running.postMessage(asked.message);
  }
}

/**
 * @param {string} path as in "puzzles/cube3/diagnose"
 * @param {unknown} body
 * @param {(told: Told) => void} hear
 * @returns {number} the number of the question
 */
function ask(path, body, hear) {
  const [, puzzle = "", question = ""] = path.split("/").map(decodeURIComponent);
  const message = { id: ++count, puzzle, question, body: JSON.stringify(body) };
  const brief = body instanceof Object && "max_length" in body;
  waiting.set(message.id, { message, hear, searching: false, brief });
  running.postMessage(message);
  return message.id;
}

/** @param {number} id of a question that is answered, or whose answer is not wanted any more */
function leave(id) {
  const asked = waiting.get(id);
  waiting.delete(id);
  if (asked?.searching) giveUp(id, asked.brief);
  else if (asked) running.postMessage({ id, question: "forget" });
}

/** @type {import("./api.js").Transport} */
export const worker = {
  async get(path, signal) {
    const response = await fetch(`api/${path}.json`, { signal: signal ?? null });
    if (response.ok) return response.json();
    throw new ApiError({ error: t("no-path", { path }), kind: "request" }, response.status);
  },

  post(path, body, signal) {
    return new Promise((resolve, reject) => {
      const id = ask(path, body, ({ data, status }) => {
        waiting.delete(id);
        if (status === 200) resolve(data);
        else reject(new ApiError(data, status));
      });
      signal?.addEventListener("abort", () => {
        leave(id);
        reject(signal.reason);
      });
    });
  },

  async *events(path, body, signal) {
    /** @type {Told[]} */
    const told = [];
    let wake = () => {};
    const id = ask(path, body, (each) => {
      if (each.event === "done" || each.event === "error") waiting.delete(id);
      told.push(each);
      wake();
    });
    signal?.addEventListener("abort", () => wake());
    try {
      while (!signal?.aborted) {
        const next = told.shift();
        if (next) yield next;
        else if (waiting.has(id)) {
          await new Promise((resolve) => {
            wake = () => resolve(undefined);
          });
        } else return;
      }
    } finally {
      leave(id);
    }
  },
};
