// How the puzzle is held: solved, with its colours on top and in front.

import { make } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { coloursOf } from "./player.js";
import { OWN } from "./scheme.js";
import { Solid, SolidView } from "./solid.js";
import { t } from "./texts.js";
import { viewOf } from "./view.js";

const figure = find("hold", HTMLElement);
const view = new SolidView(figure, { still: true });
const caption = figure.appendChild(make("figcaption"));

/**
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {import("./scheme.js").Scheme} scheme
 * @returns {string}
 */
function words(puzzle, scheme) {
  if (scheme.name === OWN) return t("hold");
  const letters = puzzle.faces.includes("U") ? "UF" : "FD";
  const [a = "", b = ""] = Array.from(letters, (letter) => scheme.words[scheme.fromFaces(letter)]);
  return t(`hold.${letters}`, { a, b });
}

function show() {
  const { puzzle, scheme } = model;
  if (!puzzle || !scheme) return;
  figure.hidden = !puzzle.solid;
  if (puzzle.written) return;
  view.layout(puzzle.solid && new Solid(puzzle.solid), viewOf(puzzle));
  view.show(coloursOf(scheme.fromFaces(puzzle.solved), scheme));
  caption.textContent = words(puzzle, scheme);
  // In the free corner of the net.
  const columns = Math.max(...puzzle.net.map((row) => row.length));
  const wasLow = figure.classList.contains("low");
  const low = typeof puzzle.net[0]?.[columns - 1] === "number";
  // Attached again, it is the picture of another puzzle, not one that jumps.
  if (figure.classList.toggle("low", low) !== wasLow) figure.parentElement?.prepend(figure);
}

model.addEventListener("scheme", show);
