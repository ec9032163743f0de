// Puzzles without stickers: their states are texts, and the server draws them.

import { ApiError, api } from "./api.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { steps } from "./steps.js";
import { t } from "./texts.js";

const MOST = 100; // pictures that are asked for at once

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

/** @param {HTMLElement} place @param {string} state */
function put(place, state) {
  const text = drawn.get(state);
  if (text === undefined || place.dataset.state === state) return;
  place.dataset.state = state;
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const size of ["width", "height"]) svg.removeAttribute(size);
  svg.setAttribute("aria-label", `${t(place === now ? "picture" : "picture.replay")}: ${state}`);
  svg.querySelector("title")?.remove();
  place.replaceChildren(document.adoptNode(svg));
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
  put(after, steps.walk?.frames[steps.at] ?? model.stickers);
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
