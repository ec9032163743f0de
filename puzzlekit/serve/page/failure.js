// What a question failed with, and whether anyone answers at all.

/**
 * @typedef {object} Fault
 * @property {string} words
 * @property {number[]} stickers the facelets concerned; none where it is about no place
 */

/**
 * @typedef {object} ErrorRecord what is said of a question that cannot be answered
 * @property {string} error
 * @property {string} kind "request", "usage", "notation", "state", "unsolved", "busy",
 *   "environment"; or "unreachable" where there was no answer at all
 * @property {Fault[]} [faults]
 * @property {number} [column]
 * @property {string} [token]
 * @property {string} [hint]
 */

export class ApiError extends Error {
  /** @param {ErrorRecord} record @param {number} status of the answer; 0 where there was none */
  constructor(record, status = 0) {
    super(record.error);
    this.name = "ApiError";
    this.record = record;
    this.kind = record.kind;
    this.status = status;
  }
}

/**
 * Tells by the events "lost" and "found" whether the server answers. By "loading", with what is
 * loaded and the share of it that is there as its detail, it tells what answers have to wait for.
 */
export const connection = new EventTarget();

const LINES = 3; // of faults: all of them are told beside the net

/**
 * What an error record tells, in few lines: the first faults, or else the error itself.
 * @param {ErrorRecord} record
 * @returns {string[]}
 */
export function told({ error, faults = [] }) {
  const words = faults.map((fault) => fault.words);
  if (words.length === 0) return [error];
  if (words.length <= LINES) return words;
  const shown = words.slice(0, LINES - 1);
  return [...shown, `and ${words.length - shown.length} more faults`];
}
