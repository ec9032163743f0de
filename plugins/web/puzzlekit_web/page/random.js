// A random state, and a scramble that leads to it.

import { ApiError, api } from "./api.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { showError } from "./notice.js";
import { offerScramble, sayOfText } from "./reading.js";
import { t } from "./texts.js";
import { preparing } from "./waiting.js";

const LONGEST = 10; // seconds that are spent on a scramble
const ANY_LENGTH = 1_000_000; // the first solution ends the search

/** The search for a scramble that is under way. */
let looking = new AbortController();
/** Whether it waits for tables, which the page shows. */
let waiting = false;
/** Fulfilled when the random state that was asked for last is there. */
let come = Promise.resolve();
/** Whether Solve was pressed before it was: there may be room for one search only. */
let awaited = false;

/** Resolves when no random state is on its way. */
export const randomState = () => come;

async function random() {
  const { puzzle, stickers } = model;
  if (!puzzle) return;
  awaited = false;
  try {
    const { facelets, scramble: moves } = await api.post(`puzzles/${puzzle.name}/random`, {});
    // Something newer has been done meanwhile.
    if (model.puzzle !== puzzle || model.stickers !== stickers || !model.scheme) return;
    model.setStickers(model.scheme.fromFaces(facelets), "program");
    if (moves) offerScramble(moves, t("random.moves", { count: moves.split(" ").length }));
    else if (!awaited) void scramble(puzzle, facelets);
  } catch (error) {
    showError(error);
  }
}

/**
 * Finds moves to a state: the first solution, undone.
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {string} facelets
 */
async function scramble(puzzle, facelets) {
  looking = new AbortController();
  const { signal } = looking;
  const limits = { max_length: ANY_LENGTH, timeout: LONGEST };
  const body = { stickers: facelets, scheme: puzzle.faces || null, ...limits };
  try {
    for await (const { event, data } of api.events(`puzzles/${puzzle.name}/solve`, body, signal)) {
      if (signal.aborted) return;
      if (event === "preparing") {
        waiting = true;
        sayOfText(`${t("random.preparing")} ${preparing(data)}`);
      } else if (event === "done") {
        waiting = false;
        return offerScramble(data.setup);
      }
    }
  } catch (error) {
    // The state is shown without its scramble.
    if (!signal.aborted && !(error instanceof ApiError)) throw error;
  } finally {
    if (!signal.aborted) hush();
  }
}

function hush() {
  if (waiting) sayOfText("");
  waiting = false;
}

function stop() {
  looking.abort();
  hush();
}

find("random", HTMLButtonElement).addEventListener("click", () => (come = random()));
model.addEventListener("stickers", stop);
find("solving", HTMLFormElement).addEventListener("submit", () => {
  awaited = true;
  stop();
});
