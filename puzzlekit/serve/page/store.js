// What the browser remembers from one visit to the next. Where it may not, nothing is remembered.

const KEY = "puzzlekit";

/**
 * @typedef {object} Memory
 * @property {string} [puzzle]
 * @property {Record<string, string>} [schemes] the name of the scheme of each puzzle
 * @property {Record<string, Record<string, string>>} [own] people's own colours: of each puzzle's
 *   faces
 * @property {Record<string, {method: string, heuristic: string, seconds: string}>} [solving] how
 *   each puzzle is solved
 */

/** @returns {Memory} */
export function remembered() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found ? found : {};
  } catch {
    return {};
  }
}

/** @param {Memory} memory what is to be remembered beside what is already */
export function remember(memory) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...remembered(), ...memory }));
  } catch {
    // Storage can be full or forbidden: the page works without.
  }
}
