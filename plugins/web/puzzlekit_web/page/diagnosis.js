// Asks the server for a diagnosis whenever the stickers change.

import { ApiError, api, connection } from "./api.js";
import { model } from "./model.js";

const PAUSE = 120; // ms without a change before it is asked: a stroke paints many stickers

/** Sends the event "failed", with the message as its detail, if a diagnosis fails. */
export const diagnosis = new EventTarget();

let timer = 0;
let asking = new AbortController();

function later() {
  asking.abort();
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
}

async function ask() {
  const { puzzle, scheme, stickers } = model;
  if (!puzzle || !scheme) return;
  asking = new AbortController();
  const { signal } = asking;
  try {
    const body = { stickers, scheme: scheme.symbols || null };
    const report = await api.post(`puzzles/${puzzle.name}/diagnose`, body, signal);
    if (!signal.aborted) model.setReport(report);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    // If the server was lost, `connection` sends an event when it answers again.
    if (error.kind !== "unreachable") {
      diagnosis.dispatchEvent(new CustomEvent("failed", { detail: error.message }));
    }
  }
}

let lost = false;

model.addEventListener("stickers", later);
connection.addEventListener("lost", () => {
  lost = true;
});
connection.addEventListener("found", () => {
  if (lost && !model.report) later();
  lost = false;
});
