// The replay in 3D, by the viewer of cubing.js. It only shows moves that the server has checked. It
// proves nothing: it shows a solved puzzle for input that it does not understand. The net beside it
// is authoritative.

import { api } from "./api.js";
import { model } from "./model.js";
import { PACE, steps } from "./steps.js";
import { viewOf } from "./view.js";

/** @typedef {import("cubing/twisty").TwistyPlayer} TwistyPlayer */
/** @typedef {typeof import("cubing/twisty").TwistyPlayer} Viewer */
/** @typedef {import("cubing/twisty").ExperimentalMillisecondTimestamp} Timestamp */
/** @typedef {import("cubing/twisty").ExperimentalLeafIndex} LeafIndex */

// Not a literal: the type check would look for the file, which exists only after `web/build`.
const VIEWER = "./viewer/viewer.js";
const MISSING = "There is no 3D view in this installation (web/build builds it).";

/** @type {Promise<Viewer | null> | undefined} */
let loading;
/** How often that has failed. */
let failed = 0;

/** @returns {Promise<Viewer | null>} null where the installation has no 3D view */
function load() {
  loading ??= (async () => {
    // Ask first: a missing file would be an error in the browser's console.
    const { viewer } = await api.get("puzzles");
    if (!viewer) return null;
    // By another name, because a browser does not load a failed file again.
    return (await import(failed ? `${VIEWER}?${failed}` : VIEWER)).TwistyPlayer;
  })();
  // The next moves try again: the server may be back by then.
  loading.catch(() => {
    loading = undefined;
    failed++;
  });
  return loading;
}

/** @type {boolean | undefined} */
let webgl;

/**
 * Whether the browser has WebGL. It is asked once: a browser keeps few contexts and removes the
 * oldest one beyond them, which would be the context of the viewer.
 * @returns {boolean}
 */
function hasWebGL() {
  webgl ??= document.createElement("canvas").getContext("webgl2") !== null;
  return webgl;
}

class Player {
  #container;
  #note;
  /** @type {TwistyPlayer | null} */
  #viewer = null;
  /** The puzzle that it was made for. @type {import("./model.js").PuzzleRecord | null} */
  #puzzle = null;
  /** When each move begins on the viewer's clock, and when the last ends; empty until it is ready. */
  #starts = /** @type {number[]} */ ([]);
  /** Counts what is shown: what loads late may be out of date. */
  #shown = 0;
  #at = 0;
  #frame = 0;

  /** @param {HTMLElement} container @param {HTMLElement} note says why there is no 3D view */
  constructor(container, note) {
    this.#container = container;
    this.#note = note;
  }

  async show() {
    const shown = ++this.#shown;
    this.#starts = [];
    const why = this.#obstacle();
    this.#container.classList.toggle("absent", why !== null);
    this.#container.classList.toggle("unneeded", why === "");
    this.#note.textContent = why ?? "";
    this.#container.classList.toggle("ready", false);
    const { walk } = steps;
    if (why !== null || !walk) return;
    try {
      const viewer = await this.#prepare();
      if (!viewer || shown !== this.#shown) return;
      viewer.experimentalSetupAlg = walk.setup ?? "";
      viewer.alg = walk.moves.join(" ");
      const starts = await begins(viewer, walk.moves.length);
      if (shown !== this.#shown) return;
      this.#starts = starts;
      this.#at = steps.at;
      this.#jump(this.#starts[this.#at] ?? 0);
      this.#container.classList.toggle("ready", true);
    } catch (cause) {
      if (shown === this.#shown) this.#give(`There is no 3D view here: ${cause}`);
    }
  }

  /** Follows a step: turned where it is one move further or back, shown at once where it is more. */
  step() {
    const from = this.#starts[this.#at];
    const to = this.#starts[steps.at];
    const near = Math.abs(steps.at - this.#at) === 1;
    this.#at = steps.at;
    if (from === undefined || to === undefined) return;
    if (near && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.#turn(from, to);
    else this.#jump(to);
  }

  /** @returns {string | null} why these moves are not shown; "" where nothing need be said */
  #obstacle() {
    const { puzzle, scheme } = model;
    if (!puzzle?.twisty) return "";
    if (steps.walk && steps.walk.setup === null) return "The 3D view shows only moves that solve.";
    const usual = puzzle.schemes[0];
    if (scheme && usual && scheme.symbols !== usual.symbols) {
      return "The 3D view has only the usual colours.";
    }
    return null;
  }

  /** @returns {Promise<TwistyPlayer | null>} one for this puzzle; null if there can be none */
  async #prepare() {
    const Viewer = await load();
    if (!Viewer) {
      this.#give(MISSING);
      return null;
    }
    if (!hasWebGL()) {
      this.#give("There is no 3D view here: the browser has no WebGL.");
      return null;
    }
    const { puzzle } = model;
    if (!puzzle) return null;
    if (this.#viewer && this.#puzzle === puzzle) return this.#viewer;
    this.#viewer?.remove();
    this.#puzzle = puzzle;
    const view = viewOf(puzzle);
    this.#viewer = this.#container.appendChild(
      new Viewer({
        puzzle: /** @type {any} */ (puzzle.twisty),
        background: "none",
        cameraDistance: 5.6,
        cameraLatitude: view.latitude,
        cameraLongitude: view.longitude,
        controlPanel: "none",
        hintFacelets: "none",
        // Its link leads to a page elsewhere.
        viewerLink: "none",
        // The same look for every puzzle; the special one of the 3x3x3 is half transparent.
        visualization: "PG3D",
      }),
    );
    // The net has the same content and is accessible to screen readers.
    this.#viewer.setAttribute("aria-hidden", "true");
    return this.#viewer;
  }

  /** @param {string} why */
  #give(why) {
    this.#container.classList.add("absent");
    this.#note.textContent = why;
  }

  /** @param {number} timestamp */
  #jump(timestamp) {
    cancelAnimationFrame(this.#frame);
    if (this.#viewer) this.#viewer.timestamp = /** @type {Timestamp} */ (timestamp);
  }

  /** @param {number} from @param {number} to timestamps of the viewer */
  #turn(from, to) {
    const start = performance.now();
    const draw = (/** @type {number} */ now) => {
      const share = Math.min(1, Math.max(0, (now - start) / (0.6 * PACE)));
      this.#jump(from + share * (to - from));
      if (share < 1) this.#frame = requestAnimationFrame(draw);
    };
    draw(start);
  }
}

/**
 * When each move begins on the viewer's clock, and when the last one ends.
 * @param {TwistyPlayer} viewer
 * @param {number} count
 * @returns {Promise<number[]>}
 */
async function begins(viewer, count) {
  const { indexer, userVisibleErrorTracker } = viewer.experimentalModel;
  const times = await indexer.get();
  const { errors } = await userVisibleErrorTracker.get();
  if (errors.length || times.numAnimatedLeaves() !== count) {
    throw new Error(errors[0] ?? "it reads the moves in another way");
  }
  const starts = Array.from({ length: count }, (_, i) =>
    times.indexToMoveStartTimestamp(/** @type {LeafIndex} */ (i)),
  );
  return [...starts, times.algDuration()];
}

/** @param {HTMLElement} container @param {HTMLElement} note says why there is no 3D view */
export function startPlayer(container, note) {
  const player = new Player(container, note);
  const show = () => player.show();
  model.addEventListener("puzzle", show);
  model.addEventListener("scheme", show);
  steps.addEventListener("walk", show);
  steps.addEventListener("step", () => player.step());
  show();
}
