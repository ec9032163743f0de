// What is told while tables are prepared.

import { t } from "./texts.js";

/**
 * @typedef {object} Preparing
 * @property {number} table the number of the table, from 1
 * @property {number} tables
 * @property {number} share of all tables that is done
 * @property {number | null} left seconds; null if another program prepares them
 */

/** @param {Preparing} told @returns {string} */
export function preparing({ table: at, tables: of, share, left }) {
  if (left === null) return t("solve.preparing");
  return t("preparing", { at, of, percent: `${Math.floor(100 * share)}`, left: roughly(left) });
}

/** @param {number} seconds @returns {string} */
function roughly(seconds) {
  return seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
