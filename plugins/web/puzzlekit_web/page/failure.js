// Errors of requests, and whether the server answers at all.

import { said, t } from "./texts.js";

/**
 * @typedef {object} Fault
 * @property {string} words
 * @property {number[]} stickers the affected facelets; empty if the fault has no place
 */

/**
 * @typedef {object} ErrorRecord the answer to a request that failed
 * @property {string} error
 * @property {string} kind "request", "usage", "notation", "state", "unsolved", "busy",
 *   "environment"; or "unreachable" if there was no answer
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
 * Sends the events "lost" and "found" when the server stops or starts to answer. Sends "loading",
 * with a text and the loaded share as its detail, while answers wait for files.
 */
export const connection = new EventTarget();

/**
 * An error in words. Faults that the page lists are only counted.
 * @param {ErrorRecord} record
 * @param {boolean} [listed] false for other faults than those of the painted stickers
 * @returns {string}
 */
export function told({ error, faults = [] }, listed = true) {
  if (listed && faults.length) return t("faults.count", { count: faults.length });
  return faults.map((fault) => said(fault.words)).join("; ") || said(error);
}
