// A replay alone on a page, for notebooks: `puzzlekit_web.player` writes all of it into one file.

import { Solid, SolidView } from "./solid.js";

/**
 * @typedef {object} Replay
 * @property {import("./solid.js").SolidRecord} solid
 * @property {import("./view.js").View} view
 * @property {string[]} moves
 * @property {string[][]} frames the colours before the first move and after each, "#rrggbb"
 * @property {Record<"first" | "back" | "play" | "next" | "last" | "behind" | "done", string>} words
 */

/** @type {Replay} */
const { solid, view, moves, frames, words: named } = JSON.parse(document.getElementById("replay")?.textContent ?? "");
const drawn = new SolidView(document.body);
const words = document.createElement("p");
const buttons = document.createElement("p");
let made = 0;

function show() {
  drawn.show(frames[made] ?? []);
  drawn.announce(drawn.solid?.turns.get(moves[made] ?? "") ?? null);
  words.textContent = `${made} / ${moves.length}${moves.length ? ` · ${moves[made] ?? named.done}` : ""}`;
}

/** @param {number} to the position in the moves */
async function go(to) {
  const from = made;
  made = Math.max(0, Math.min(moves.length, to));
  const turn = drawn.solid?.turns.get(moves[Math.min(from, made)] ?? "");
  if (turn && Math.abs(made - from) === 1) {
    drawn.show(frames[Math.min(from, made)] ?? []);
    drawn.announce(null);
    const way = made > from ? { to: turn.angle } : { from: turn.angle, to: 0 };
    await drawn.animate(turn, { ...way, time: 400 });
  }
  show();
}

async function play() {
  if (made === moves.length) await go(0);
  while (made < moves.length) await go(made + 1);
}

/** @type {[string, () => unknown][]} */
const actions = [
  [named.first, () => go(0)],
  [named.back, () => go(made - 1)],
  [named.play, play],
  [named.next, () => go(made + 1)],
  [named.last, () => go(moves.length)],
  [named.behind, () => drawn.showBack(!drawn.scene.both)],
];
for (const [name, act] of actions) {
  const button = document.createElement("button");
  button.textContent = name;
  button.addEventListener("click", act);
  buttons.append(button);
}
document.body.append(words, buttons);
drawn.layout(new Solid(solid), view);
show();
