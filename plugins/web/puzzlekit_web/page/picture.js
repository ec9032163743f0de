// Puzzles without stickers: their states are texts, and the server draws them.

import { ApiError, api } from "./api.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { steps } from "./steps.js";
import { t } from "./texts.js";

const MOST = 100; // pictures that are asked for at once
const MOST_TILES = 6; // that slide; more change places at once
const SLIDE = 150; // ms

/** The pictures of the puzzle's states that were drawn already. @type {Map<string, string>} */
const drawn = new Map();
const now = find("picture", HTMLElement);
const after = find("replay-picture", HTMLElement);

/** Draws states that are not drawn yet. @param {string[]} states */
async function draw(states) {
  const { puzzle } = model;
  const missing = [...new Set(states)].filter((state) => !drawn.has(state)).slice(0, MOST);
  if (!puzzle || !missing.length) return;
  const path = `puzzles/${encodeURIComponent(puzzle.name)}/draw`;
  const { pictures } = await api.post(path, { frames: missing });
  if (model.puzzle !== puzzle) return;
  missing.forEach((state, i) => drawn.set(state, pictures[i]));
}

/** @param {string[]} states @returns {Promise<string[]>} their pictures, as SVG */
export async function picturesOf(states) {
  for (let i = 0; i < states.length; i += MOST) await draw(states.slice(i, i + MOST));
  return states.map((state) => drawn.get(state) ?? "");
}

/** @param {string} state @returns {HTMLElement} its picture, as a document of its own */
function parsed(state) {
  return new DOMParser().parseFromString(drawn.get(state) ?? "<svg/>", "image/svg+xml").documentElement;
}

/** @param {ParentNode} picture @returns {SVGGElement[]} its tiles, pieces or dials */
const parts = (picture) => [...picture.querySelectorAll("g")];

/**
 * Shows a state, and marks what looks different in the next one.
 * @param {HTMLElement} place
 * @param {string} state
 * @param {string} [next]
 */
function put(place, state, next) {
  if (!drawn.has(state)) return;
  const picture = parsed(state);
  const own = parts(picture).map((part) => part.innerHTML);
  if (place.dataset.state !== state) replace(place, state, picture);
  const left = next && drawn.has(next) ? parts(parsed(next)).map((part) => part.innerHTML) : own;
  const still = new Set(left);
  parts(place).forEach((part, i) => part.classList.toggle("moving", !still.has(own[i] ?? "")));
}

/** @param {HTMLElement} place @param {string} state @param {HTMLElement} picture */
function replace(place, state, picture) {
  place.dataset.state = state;
  for (const size of ["width", "height"]) picture.removeAttribute(size);
  picture.setAttribute("aria-label", `${t(place === now ? "picture" : "picture.replay")}: ${state}`);
  picture.querySelector("title")?.remove();
  const before = corners(place);
  place.replaceChildren(document.adoptNode(picture));
  const slid = parts(place).flatMap((tile) => {
    const from = before.get(tile.textContent);
    const [x, y] = [(from?.x ?? 0) - tile.getBBox().x, (from?.y ?? 0) - tile.getBBox().y];
    return from && (x || y) ? [{ tile, start: `translate(${x}px, ${y}px)` }] : [];
  });
  if (slid.length > MOST_TILES || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const { tile, start } of slid) {
    tile.animate([{ transform: start }, { transform: "none" }], { duration: SLIDE, easing: "ease-out" });
  }
}

/** @param {HTMLElement} place @returns {Map<string | null, DOMRect>} where the tiles are, by their numbers */
function corners(place) {
  const tiles = model.puzzle?.slides ? parts(place) : [];
  return new Map(tiles.map((tile) => [tile.textContent, tile.getBBox()]));
}

async function show() {
  const { puzzle, stickers } = model;
  const written = puzzle?.written === true;
  document.body.classList.toggle("written", written);
  document.body.classList.toggle("opened", puzzle?.opened === true);
  now.hidden = !written;
  after.hidden = !written || !steps.walk;
  if (!written) return;
  await null; // a walk of another puzzle ends with the same event
  const frames = steps.walk?.frames ?? [stickers];
  try {
    await draw([stickers, ...frames.slice(steps.at, steps.at + MOST - 1)]);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  put(now, model.stickers);
  put(after, frames[steps.at] ?? model.stickers, frames[steps.at + 1]);
}

model.addEventListener("puzzle", () => {
  drawn.clear();
  for (const place of [now, after]) {
    delete place.dataset.state;
    place.replaceChildren();
  }
});
for (const event of ["puzzle", "stickers"]) model.addEventListener(event, show);
for (const event of ["walk", "step"]) steps.addEventListener(event, show);
