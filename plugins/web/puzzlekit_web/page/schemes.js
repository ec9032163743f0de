// The choice of a colour scheme, and of own colours.

import { make } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { short } from "./names.js";
import { schemeShown } from "./paintings.js";
import { namedScheme, OWN, ownScheme } from "./scheme.js";
import { remember, remembered } from "./store.js";
import { said, t } from "./texts.js";

/** @typedef {import("./model.js").PuzzleRecord} PuzzleRecord */
/** @typedef {import("./scheme.js").Scheme} Scheme */

const select = find("scheme", HTMLSelectElement);
const own = find("own", HTMLFieldSetElement);

/**
 * The scheme of that name: one of the puzzle's, or the own colours as they were last.
 * @param {PuzzleRecord} puzzle
 * @param {string} name
 * @returns {Scheme | null} null if there is none of that name
 */
export function schemeNamed(puzzle, name) {
  if (puzzle.written) return ownScheme(puzzle, {});
  if (name !== OWN) return namedScheme(puzzle, name);
  return ownScheme(puzzle, remembered().own?.[puzzle.name] ?? {});
}

/**
 * The scheme that was last used with a puzzle, in this tab if it was there.
 * @param {PuzzleRecord} puzzle
 * @returns {Scheme | null}
 */
export function lastScheme(puzzle) {
  if (puzzle.written) return ownScheme(puzzle, {});
  const name = schemeShown(puzzle.name) ?? remembered().schemes?.[puzzle.name];
  return name === undefined ? null : schemeNamed(puzzle, name);
}

/** @param {PuzzleRecord} puzzle @param {Scheme} scheme @returns {Record<string, string>} */
function ofFaces(puzzle, scheme) {
  return Object.fromEntries(
    Array.from(puzzle.faces, (face) => [face, scheme.css[scheme.fromFaces(face)] ?? ""]),
  );
}

/** @param {PuzzleRecord} puzzle @param {Record<string, string>} colours */
function useOwn(puzzle, colours) {
  remember({ own: { ...remembered().own, [puzzle.name]: colours } });
  model.setScheme(ownScheme(puzzle, colours));
}

function change() {
  const { puzzle, scheme } = model;
  if (!puzzle || !scheme) return;
  const named = namedScheme(puzzle, select.value);
  if (named) model.setScheme(named);
  // Own colours begin with the current ones.
  else useOwn(puzzle, remembered().own?.[puzzle.name] ?? ofFaces(puzzle, scheme));
}

function offer() {
  const { puzzle } = model;
  if (!puzzle) return;
  const options = puzzle.schemes.map(({ name }) => new Option(capital(said(name)), name));
  select.replaceChildren(...options, new Option(t("scheme.own"), OWN));
  for (const label of own.querySelectorAll("label")) label.remove();
  for (const face of puzzle.faces) {
    const name = short(puzzle, face);
    const named = { name: face, "aria-label": t("scheme.colour", { face: name }) };
    const input = make("input", { type: "color", ...named });
    input.addEventListener("input", () => {
      if (model.scheme) useOwn(puzzle, { ...ofFaces(puzzle, model.scheme), [face]: input.value });
    });
    own.append(make("label", {}, name, input));
  }
}

function show() {
  const { puzzle, scheme } = model;
  if (!puzzle || !scheme) return;
  remember({ schemes: { ...remembered().schemes, [puzzle.name]: scheme.name } });
  select.value = scheme.name;
  own.hidden = scheme.name !== OWN;
  if (own.hidden) return;
  for (const input of own.querySelectorAll("input")) input.value = scheme.css[input.name] ?? "";
}

/** @param {string} name @returns {string} "Western", and "WCA", which is an abbreviation */
function capital(name) {
  if (name.length < 4) return name.toUpperCase();
  return name.charAt(0).toUpperCase() + name.slice(1);
}

select.addEventListener("change", change);
model.addEventListener("puzzle", offer);
model.addEventListener("scheme", show);
