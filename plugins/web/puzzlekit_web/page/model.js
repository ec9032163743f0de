// The model of the page: the puzzle, its colours, its stickers, and their faults.

import { api } from "./api.js";
import { namedScheme, ownScheme, recolour, UNPAINTED } from "./scheme.js";

/** @typedef {import("./scheme.js").Scheme} Scheme */
/** @typedef {import("./api.js").Fault} Fault */

/**
 * @typedef {object} MethodRecord
 * @property {string} name
 * @property {string} title
 * @property {boolean} default
 * @property {boolean} improves
 * @property {string[]} metrics
 * @property {string[]} heuristics the default one first
 */

/**
 * @typedef {object} StepMethodRecord
 * @property {string} name
 * @property {string} title
 * @property {string} metric
 * @property {string[]} steps
 */

/**
 * @typedef {object} Slides
 * @property {string} blank in the text of a state
 * @property {number} columns
 * @property {Record<string, number>[]} moves for each place of the blank, and where they bring it
 */

/** @typedef {[number, number][]} Outline */
/** @typedef {{stickers: [number, Outline][], plates: Outline[]}} NetDrawing */

/**
 * @typedef {object} PuzzleRecord
 * @property {string} name
 * @property {string} title
 * @property {boolean} written whether states are texts, without stickers
 * @property {import("./solid.js").SolidRecord | null} solid the puzzle in space, if it is known
 * @property {number} longitude viewpoint in degrees to the right of the front
 * @property {string} faces one letter for each face
 * @property {string[]} face_names what moves call each face
 * @property {number[]} face_of the face of each facelet
 * @property {(number | null)[][]} net the rows of the unfolded net
 * @property {NetDrawing | null} drawing the net, if its plugin draws it
 * @property {string[]} facelet_names
 * @property {{name: string, symbols: string}[]} schemes
 * @property {string[]} colours the usual colour of each face, in words
 * @property {string} solved
 * @property {string} example
 * @property {number[]} [centers] facelets that no turn moves: they show how the puzzle is held
 * @property {MethodRecord[]} methods
 * @property {{name: string, title: string}[]} goals the named goals
 * @property {boolean} takes_goals whether a search may have a goal
 * @property {StepMethodRecord[]} step_methods
 * @property {boolean} scans whether its colours can be read
 * @property {boolean} opened whether it comes from a file that this server alone knows
 * @property {string[]} turns moves for buttons
 * @property {Slides | null} slides how its tiles slide, if it has tiles
 * @property {boolean} in_words whether the server has words for its moves
 */

/**
 * @typedef {object} Repair
 * @property {string} words
 * @property {string} stickers all stickers after the repair
 * @property {number[]} changed
 */

/**
 * @typedef {object} Report
 * @property {{symbol: string, count: number, expected: number}[]} counts
 * @property {number} unpainted
 * @property {Fault[]} faults
 * @property {Repair[]} repairs
 * @property {boolean} complete whether all stickers are painted, right or wrong
 * @property {boolean} solved
 */

/**
 * @typedef {object} Painted
 * @property {string} stickers one symbol for each facelet; "?" if it is not painted
 * @property {"paint" | "program"} source who made them
 */

/**
 * Sends the events "puzzle", "scheme", "stickers" and "report" when the named thing has changed.
 * At the event "puzzle", the new scheme and stickers are already set.
 */
class Model extends EventTarget {
  /** @type {PuzzleRecord | null} */
  puzzle = null;
  /** @type {Scheme | null} */
  scheme = null;
  /** One symbol for each facelet; "?" if it is not painted. */
  stickers = "";
  /** The source of the stickers: painting, or the program. @type {"paint" | "program"} */
  source = "program";
  /** The last diagnosis of these stickers; null until it is known. @type {Report | null} */
  report = null;

  /** Resolves when the first puzzle is there and everything knows it. @type {Promise<void>} */
  first = new Promise((resolve) => {
    this.addEventListener("puzzle", () => setTimeout(resolve), { once: true });
  });

  /** Counts the requests for puzzles, because answers can come in another order. */
  #asked = 0;

  /** Whether these stickers can be solved, as far as is known now. */
  get ready() {
    return this.report?.complete === true && this.report.faults.length === 0;
  }

  /**
   * Shows a puzzle.
   * @param {string} name
   * @param {(puzzle: PuzzleRecord) => Scheme | null} [colours] the scheme to begin with
   * @param {(puzzle: PuzzleRecord, scheme: Scheme) => Painted | null} [painted] what is painted
   *   on it already
   * @returns {Promise<boolean>} false if another puzzle was chosen before this one was there
   */
  async choosePuzzle(name, colours, painted) {
    const number = ++this.#asked;
    /** @type {PuzzleRecord} */
    const puzzle = await api.get(`puzzles/${encodeURIComponent(name)}`);
    if (number !== this.#asked) return false;
    const scheme = colours?.(puzzle) ?? namedScheme(puzzle, puzzle.schemes[0]?.name ?? "");
    this.puzzle = puzzle;
    this.scheme = scheme ?? ownScheme(puzzle, {});
    const before = painted?.(puzzle, this.scheme);
    this.stickers = before?.stickers ?? this.cleared();
    this.source = before?.source ?? "program";
    this.report = null;
    this.#tell("puzzle", "scheme", "stickers", "report");
    return true;
  }

  /**
   * Nothing painted except stickers that no turn moves: in the standard holding, nobody needs to
   * paint them.
   * @returns {string}
   */
  cleared() {
    const { puzzle, scheme } = this;
    if (!puzzle || !scheme) return "";
    if (puzzle.written) return puzzle.solved;
    return this.#withCenters(UNPAINTED.repeat(puzzle.solved.length), scheme);
  }

  /** @param {Scheme} scheme of this puzzle */
  setScheme(scheme) {
    const before = this.scheme;
    if (!this.puzzle || !before) return;
    const held = this.#centersAsSolved(before);
    this.scheme = scheme;
    if (before.symbols === scheme.symbols) {
      // The same symbols in other colours have the same faults.
      this.#tell("scheme");
      return;
    }
    let stickers = recolour(this.stickers, before, scheme, this.source);
    if (held) stickers = this.#withCenters(stickers, scheme);
    this.stickers = stickers;
    this.report = null;
    this.#tell("scheme", "stickers", "report");
  }

  /**
   * Whether the centers are as `cleared` left them, so that nobody has painted them.
   * @param {Scheme} scheme
   * @returns {boolean}
   */
  #centersAsSolved(scheme) {
    return this.#withCenters(this.stickers, scheme) === this.stickers;
  }

  /** @param {string} stickers @param {Scheme} scheme @returns {string} */
  #withCenters(stickers, scheme) {
    const centers = new Set(this.puzzle?.centers ?? []);
    const solved = scheme.fromFaces(this.puzzle?.solved ?? "");
    return Array.from(stickers, (was, i) => (centers.has(i) ? solved.charAt(i) : was)).join("");
  }

  /**
   * @param {string} stickers one symbol of the scheme or "?" for each facelet
   * @param {"paint" | "program"} source
   */
  setStickers(stickers, source) {
    this.source = source;
    if (stickers === this.stickers) return;
    this.stickers = stickers;
    this.report = null;
    this.#tell("stickers", "report");
  }

  /** @param {Report | null} report of the stickers as they are now */
  setReport(report) {
    this.report = report;
    this.#tell("report");
  }

  /** @param {string[]} events */
  #tell(...events) {
    for (const event of events) this.dispatchEvent(new Event(event));
  }
}

export const model = new Model();
