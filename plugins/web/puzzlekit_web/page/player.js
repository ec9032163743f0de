// The 3D view: what is painted, to be painted and turned there too; and a solution, move by move.

import { history } from "./history.js";
import { model } from "./model.js";
import { paint } from "./painting.js";
import { palette } from "./palette.js";
import { Solid, SolidView } from "./solid.js";
import { steps } from "./steps.js";
import { remember, remembered } from "./store.js";
import { t } from "./texts.js";
import { viewOf } from "./view.js";

const STEP = 0.26; // radians that an arrow key rotates the puzzle

/**
 * The colours of stickers on the puzzle in space.
 * @param {string} stickers
 * @param {import("./scheme.js").Scheme} scheme
 * @returns {string[]}
 */
export function coloursOf(stickers, scheme) {
  const empty = getComputedStyle(document.documentElement).getPropertyValue("--empty").trim();
  return Array.from(stickers, (symbol) => scheme.css[symbol] ?? empty);
}

/**
 * @param {HTMLElement} container
 * @param {HTMLElement} help says what can be done with the view
 * @param {HTMLButtonElement} behind shows the back, too
 * @returns the view, and the colours before each move
 */
export function startPlayer(container, help, behind) {
  /** The position in the moves that is shown. */
  let at = 0;

  const view = new SolidView(container, {
    label: t("player"),
    onTap: (facelet) => {
      if (!painted()) return;
      history.hold();
      paint(facelet, palette.colour);
      history.release();
    },
    onTurn: (turn) => {
      if (view.solid && painted()) model.setStickers(view.solid.turned(turn, model.stickers), "paint");
      else show();
    },
  });
  view.canvas.tabIndex = 0;
  view.canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [yaw = 0, pitch = 0] = { ArrowLeft: [-STEP], ArrowRight: [STEP], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key] ?? [];
    if (event.shiftKey && (yaw || pitch)) view.rotate(yaw, pitch);
    else if (!press(event)) return;
    event.preventDefault();
  });

  /** Turns the layer that a letter names. @param {KeyboardEvent} event @returns {boolean} */
  function press({ key, shiftKey: back }) {
    const { solid } = view;
    if (!/^[a-z]$/i.test(key) || !solid || !painted()) return false;
    const upper = key.toUpperCase();
    const own = [upper, key.toLowerCase(), `${upper}2`].find((name) => solid.turns.has(name));
    const turn = solid.turns.get(own ?? "");
    if (!turn) return false;
    const done = back ? { ...turn, angle: -turn.angle } : turn;
    model.setStickers(solid.turned(done, model.stickers), "paint");
    return true;
  }

  /** Whether what is seen is what is painted, so that it can be changed. */
  const painted = () => !steps.walk || at === 0;

  /** @param {number} index */
  const turnOf = (index) => view.solid?.turns.get(steps.walk?.moves[index] ?? "") ?? null;

  /** @param {number} index @returns {string[]} the colours before this move */
  const frame = (index) => {
    const { scheme, stickers } = model;
    if (!scheme) return [];
    const faces = steps.walk?.frames[index];
    return coloursOf(faces === undefined ? stickers : scheme.fromFaces(faces), scheme);
  };

  function show() {
    at = steps.at;
    view.show(frame(at));
    view.announce(turnOf(at));
  }

  /** Follows a step: turned where it is one move further or back, shown at once where it is more. */
  async function step() {
    const [from, to] = [at, steps.at];
    const turn = turnOf(Math.min(from, to));
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!turn || still || Math.abs(to - from) !== 1) return show();
    at = to;
    view.show(frame(Math.min(from, to)));
    view.announce(null);
    const way = to > from ? { to: turn.angle } : { from: turn.angle, to: 0 };
    await view.animate(turn, { ...way, time: 0.7 * steps.pace });
    show();
  }

  function layout() {
    const { puzzle } = model;
    container.hidden = behind.hidden = !puzzle?.solid;
    // Until a puzzle is there, too: what is below does not move when it comes.
    help.hidden = puzzle?.solid === null;
    if (puzzle) view.layout(puzzle.solid && new Solid(puzzle.solid), viewOf(puzzle));
    show();
  }

  /** @param {boolean} both */
  function showBack(both) {
    behind.setAttribute("aria-pressed", `${both}`);
    container.classList.toggle("both", both);
    view.showBack(both);
  }

  behind.addEventListener("click", () => {
    showBack(!view.scene.both);
    remember({ behind: view.scene.both });
  });
  showBack(remembered().behind === true);
  model.addEventListener("puzzle", layout);
  model.addEventListener("scheme", show);
  model.addEventListener("stickers", show);
  steps.addEventListener("walk", show);
  steps.addEventListener("step", step);
  layout();
  return { view, frame };
}

