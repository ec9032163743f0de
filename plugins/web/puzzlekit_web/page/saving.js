// The solution as an animated picture, to be kept or sent.

import { make } from "./elements.js";
import { gif } from "./gif.js";
import { model } from "./model.js";
import { picturesOf } from "./picture.js";
import { eased } from "./scene.js";
import { steps } from "./steps.js";

/** @typedef {import("./gif.js").Frame} Frame */
/** @typedef {import("./steps.js").Walk} Walk */
/** @typedef {CanvasRenderingContext2D} Pen */

const ONE = [400, 400]; // width and height in pixels
const BOTH = [640, 340]; // with the back beside the front
const LINE = 44; // for the moves
const MOST = 500; // frames
const [FIRST, LAST] = [1000, 2500]; // milliseconds
const FONT = "600 18px ui-monospace, Menlo, Consolas, monospace";

/**
 * Draws the moves on display, and lets the browser save them.
 * @param {import("./solid.js").SolidView} view
 * @param {(index: number) => string[]} colours of the puzzle before a move
 * @returns {Promise<string>} the name of the file
 */
export async function save(view, colours) {
  const { walk } = steps;
  const { puzzle } = model;
  if (!walk || !puzzle) return "";
  const shown = puzzle.written ? await drawings(walk) : turns(walk, view, colours);
  const { width, height, frames } = shown;
  const blob = await gif(frames.map((frame) => withMoves(frame, walk.moves, width, height)), width, height + LINE);
  const link = make("a", { download: `${puzzle.name}.gif`, href: URL.createObjectURL(blob) });
  link.click();
  URL.revokeObjectURL(link.href);
  return link.download;
}

/** @typedef {Frame & {at: number}} Shown a frame without the moves; the move `at` is next or under way */
/** @typedef {{width: number, height: number, frames: Shown[]}} Film */

/**
 * The layers turn as in the 3D view, seen from the same side.
 * @param {Walk} walk @param {import("./solid.js").SolidView} view
 * @param {(index: number) => string[]} colours
 * @returns {Film}
 */
function turns({ moves }, view, colours) {
  const look = view.look();
  const scene = view.scene.copy();
  const { solid } = scene;
  const [width, height] = scene.both ? BOTH : ONE;
  const count = Math.max(2, Math.min(8, Math.floor(MOST / (moves.length + 1)))); // frames of a move
  const frames = [...moves.keys(), moves.length].flatMap((at) => {
    const turn = solid?.turns.get(moves[at] ?? "") ?? null;
    const painted = colours(at);
    /** @param {number} share @param {number} time @returns {Shown} */
    const frame = (share, time) => ({
      at,
      time,
      draw: (pen) => {
        scene.colours = painted;
        scene.announced = turn;
        scene.turning = turn && share ? { turn, angle: turn.angle * eased(share) } : null;
        scene.draw(pen, width, height, look);
      },
    });
    const moving = turn ? Array.from({ length: count - 1 }, (_, i) => frame((i + 1) / count, (0.7 * steps.pace) / count)) : [];
    return [frame(0, rest(at, moves.length)), ...moving];
  });
  return { width, height, frames };
}

/** The pictures of a puzzle that draws itself. @param {Walk} walk @returns {Promise<Film>} */
async function drawings(walk) {
  const images = await Promise.all((await picturesOf(walk.frames)).map(imageOf));
  const [{ naturalWidth, naturalHeight }] = images;
  const width = ONE[0];
  const height = Math.round((width * naturalHeight) / naturalWidth);
  const frames = images.map((image, at) => ({
    at,
    time: steps.pace + rest(at, images.length - 1),
    draw: (/** @type {Pen} */ pen) => pen.drawImage(image, 0, 0, width, height),
  }));
  return { width, height, frames };
}

/** @param {string} svg @returns {Promise<HTMLImageElement>} */
async function imageOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}

/** How long the puzzle stands still before a move. @param {number} at @param {number} count */
const rest = (at, count) => (at === count ? LAST : at ? 0.5 * steps.pace : FIRST);

/** Adds the ground, and the moves around the one that is shown. @param {Shown} shown @param {string[]} moves @param {number} width @param {number} height @returns {Frame} */
function withMoves({ draw, time, at }, moves, width, height) {
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    time,
    draw: (pen) => {
      pen.fillStyle = colour("--paper");
      pen.fillRect(0, 0, width, height + LINE);
      draw(pen);
      pen.font = FONT;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      const space = Math.max(...moves.map((move) => pen.measureText(move).width)) + 16;
      const fit = Math.max(1, Math.min(moves.length, Math.floor(width / space)));
      const first = Math.max(0, Math.min(at - (fit >> 1), moves.length - fit));
      moves.slice(first, first + fit).forEach((move, i) => {
        const x = width / 2 + (i - (fit - 1) / 2) * space;
        const now = first + i === at;
        if (now) {
          pen.fillStyle = colour("--accent");
          pen.beginPath();
          pen.roundRect(x - space / 2 + 2, height + 6, space - 4, 28, 7);
          pen.fill();
        }
        pen.fillStyle = colour(now ? "--on-accent" : first + i < at ? "--quiet" : "--ink");
        pen.fillText(move, x, height + 21);
      });
    },
  };
}
