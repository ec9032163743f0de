// The region "Solution": the solution, its moves step by step, and ways to share it.

import { ApiError } from "./api.js";
import { copy } from "./copying.js";
import { find } from "./find.js";
import { linkOf } from "./link.js";
import { model } from "./model.js";
import { startMoves } from "./moves.js";
import { showError } from "./notice.js";
import { startPlayer } from "./player.js";
import { startReplay } from "./replay.js";
import { steps } from "./steps.js";
import { forget } from "./summary.js";
import { t } from "./texts.js";
import { startVerifying } from "./verifying.js";

const region = find("solution", HTMLElement);
const result = find("result", HTMLElement);
const shared = find("shared", HTMLElement);
const scrub = find("scrub", HTMLInputElement);
const speed = find("speed", HTMLSelectElement);
const buttons = {
  first: find("first", HTMLButtonElement),
  back: find("back", HTMLButtonElement),
  play: find("play", HTMLButtonElement),
  next: find("next", HTMLButtonElement),
  last: find("last", HTMLButtonElement),
  copy: find("copy", HTMLButtonElement),
  share: find("share", HTMLButtonElement),
  save: find("save", HTMLButtonElement),
  behind: find("behind", HTMLButtonElement),
  full: find("full", HTMLButtonElement),
};

function start() {
  startReplay(find("replay", HTMLElement), find("caption", HTMLElement));
  const player = startPlayer(find("player", HTMLElement), find("player-help", HTMLElement), buttons.behind);
  startMoves(find("moves", HTMLElement));
  startVerifying();
  scrub.addEventListener("input", () => steps.go(scrub.valueAsNumber));
  speed.addEventListener("change", () => steps.hurry(Number(speed.value)));
  buttons.first.addEventListener("click", () => steps.go(0));
  buttons.back.addEventListener("click", () => steps.go(steps.at - 1));
  buttons.play.addEventListener("click", () => steps.toggle());
  buttons.next.addEventListener("click", () => steps.go(steps.at + 1));
  buttons.last.addEventListener("click", () => steps.go(steps.last));
  buttons.copy.addEventListener("click", () => copy(movesText(), shared, t("copied.moves")));
  buttons.share.addEventListener("click", share);
  buttons.save.addEventListener("click", () => save(player));
  startFullScreen();
  document.addEventListener("keydown", onKey);
  for (const event of ["walk", "step", "playing"]) steps.addEventListener(event, refresh);
  for (const event of ["puzzle", "stickers", "scheme"]) model.addEventListener(event, drop);
  model.addEventListener("puzzle", refresh);
  refresh();
}

/** Forgets moves that belong to something else than what is painted now. */
function drop() {
  const painted = model.scheme?.toFaces(model.stickers);
  if (!steps.walk || steps.walk.frames[0] === painted) return;
  forget();
}

function refresh() {
  const { at, last, playing, walk } = steps;
  region.classList.toggle("empty", walk === null);
  scrub.max = `${last}`;
  scrub.value = `${at}`;
  scrub.disabled = last === 0;
  const { first, back, play, next, last: end } = buttons;
  for (const button of [first, back, play, next, end]) button.disabled = last === 0;
  // Not disabled at the start or end: that would take the focus from them.
  for (const button of [first, back]) button.setAttribute("aria-disabled", `${at === 0}`);
  for (const button of [next, end]) button.setAttribute("aria-disabled", `${at === last}`);
  // The name stays, because it is the same button; whether it plays is its state.
  buttons.play.setAttribute("aria-pressed", `${playing}`);
  for (const button of [buttons.copy, buttons.share, buttons.save]) button.disabled = last === 0;
  buttons.save.hidden = !model.puzzle?.solid && !model.puzzle?.written;
  shared.textContent = "";
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.defaultPrevented || !steps.last) return;
  const target = event.target instanceof Element ? event.target : document.body;
  // Fields and the net to paint use these keys themselves.
  if (target.closest("input, textarea, select, [role=grid], [contenteditable]")) return;
  const inside = region.contains(target);
  if (event.key === "ArrowLeft") steps.go(steps.at - 1);
  else if (event.key === "ArrowRight") steps.go(steps.at + 1);
  else if (inside && event.key === "Home") steps.go(0);
  else if (inside && event.key === "End") steps.go(steps.last);
  else if (inside && event.key === " " && !target.closest("button, summary")) steps.toggle();
  else return;
  event.preventDefault();
}

function movesText() {
  return steps.walk?.moves.join(" ") ?? "";
}

/** Puts a link to these moves of this puzzle into the address bar, and copies it. */
function share() {
  history.replaceState(null, "", linkOf(movesText()));
  copy(location.href, shared, t("copied.link"));
}

/** Saves these moves as an animated picture. @param {ReturnType<typeof startPlayer>} player */
async function save({ view, frame }) {
  buttons.save.disabled = true;
  shared.textContent = t("save.drawing");
  let told = "";
  try {
    const saving = await import("./saving.js"); // few need it
    told = t("save.done", { name: await saving.save(view, frame) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showError(error);
  } finally {
    refresh();
    shared.textContent = told;
  }
}

/** The puzzle and its moves fill the screen, where a browser allows it. */
function startFullScreen() {
  const { full } = buttons;
  full.hidden = !document.fullscreenEnabled;
  full.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else result.requestFullscreen();
  });
  document.addEventListener("fullscreenchange", () => {
    full.setAttribute("aria-pressed", `${document.fullscreenElement === result}`);
  });
}

start();
