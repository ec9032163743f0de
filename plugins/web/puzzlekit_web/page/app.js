// Starts the page: it shows a puzzle as soon as the server has described it.

import { api, connection } from "./api.js";
import "./faults.js";
import { offerFiles } from "./files.js";
import { find } from "./find.js";
import "./hold.js";
import { LinkError, linkOf, openLink } from "./link.js";
import { model } from "./model.js";
import { hideNotice, showError, showNotice } from "./notice.js";
import "./painting.js";
import { lastPainted, lastShown } from "./paintings.js";
import "./picture.js";
import "./random.js";
import "./reading.js";
import "./scanning.js";
import { lastScheme } from "./schemes.js";
import "./solution.js";
import "./solving.js";
import { steps } from "./steps.js";
import { remember, remembered } from "./store.js";
import { offerLanguages, said, t } from "./texts.js";
import "./turns.js";
import { verify } from "./verifying.js";
import "./zoom.js";

const LOST = t("lost");
const WRONG_MOVES = t("link.moves");
/** Moves stay when the page is loaded in another language; what is painted stays anyway. */
offerLanguages(find("language", HTMLSelectElement), () => {
  const moves = steps.walk?.moves.join(" ");
  if (moves) history.replaceState(null, "", linkOf(moves));
  else history.replaceState(null, "", location.pathname);
});

const AGAIN = 2000; // ms from one question to the next
const USUAL = "cube3"; // where people have not chosen before

const select = find("puzzle", HTMLSelectElement);

/** @param {string} name */
async function choose(name) {
  try {
    await model.choosePuzzle(name, lastScheme, lastPainted);
  } catch (error) {
    showError(error);
    if (model.puzzle) select.value = model.puzzle.name;
  }
}

/** @returns {string[]} the names of all puzzles that can be chosen */
function names() {
  return Array.from(select.options, (option) => option.value);
}

/** How many links are being followed; meanwhile a link changes what is shown. */
let following = 0;
/** Whether the link in the address waits for a server that does not answer. */
let missed = false;

/** Shows what the address asks for. @returns {Promise<boolean>} whether it asks for a puzzle */
async function follow() {
  hideNotice();
  missed = false;
  following++;
  try {
    const moves = await openLink(location.hash, names());
    // Their faults are shown at the end of the page, where they can be corrected.
    if (moves) verify(moves).then((shown) => shown || showNotice(WRONG_MOVES));
    return moves !== null;
  } catch (error) {
    if (error instanceof LinkError) showNotice(error.message);
    else missed = !showError(error);
    return model.puzzle !== null;
  } finally {
    following--;
  }
}

/** Removes an outdated link from the address, so that a reload does not show it. */
function leave() {
  if (following) return;
  missed = false;
  if (location.hash) history.replaceState(null, "", location.pathname);
  hideNotice(WRONG_MOVES);
}

async function start() {
  const { puzzles, files } = await api.get("puzzles");
  select.replaceChildren();
  for (const { name, title } of puzzles) select.append(new Option(said(title), name));
  offerFiles(files, ({ name, title }) => {
    if (!names().includes(name)) select.append(new Option(title, name));
    return choose(name);
  });
  if (await follow()) return;
  const usual = [lastShown(), remembered().puzzle, USUAL];
  const wanted = usual.find((name) => name && names().includes(name));
  await choose(wanted ?? names()[0] ?? "");
}

/** Asks until the server answers again. */
async function retry() {
  try {
    if (model.puzzle) await api.get("puzzles");
    else await start();
  } catch (error) {
    showError(error);
  }
}

let waiting = 0;
connection.addEventListener("lost", () => {
  showNotice(LOST);
  clearTimeout(waiting);
  waiting = setTimeout(retry, AGAIN);
});
connection.addEventListener("found", () => {
  clearTimeout(waiting);
  hideNotice(LOST);
  if (missed) follow();
});
select.addEventListener("change", () => {
  hideNotice();
  choose(select.value);
});
model.addEventListener("puzzle", () => {
  if (!model.puzzle) return;
  select.value = model.puzzle.name;
  remember({ puzzle: model.puzzle.name });
});
model.addEventListener("stickers", leave);
steps.addEventListener("walk", () => hideNotice(WRONG_MOVES));
addEventListener("hashchange", follow);

await retry();
