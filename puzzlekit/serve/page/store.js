// What the browser remembers from one visit to the next. Where it may not, nothing is remembered.

const KEY = "puzzlekit";

/**
 * @typedef {object} Memory
 * @property {string} [puzzle]
 * @property {Record<string, string>} [schemes] the name of the scheme of each puzzle
 * @property {Record<string, Record<string, string>>} [own] people's own colours: of each puzzle's
 *   faces
 * @property {Record<string, Solving>} [solving] how each puzzle is solved
 */

/**
 * @typedef {object} Solving what was chosen; "" for the usual time limit
 * @property {string} method
 * @property {string} heuristic
 * @property {string} [metric]
 * @property {string} seconds
 */

/**
 * The object that is stored under a key; an empty one where there is none, or nothing may be read.
 * @param {() => Storage} storage asking for it fails already where it is forbidden
 * @param {string} key
 * @returns {any}
 */
export function load(storage, key) {
  try {
    const found = JSON.parse(storage().getItem(key) ?? "{}");
    return typeof found === "object" && found ? found : {};
  } catch {
    return {};
  }
}

/**
 * @param {() => Storage} storage
 * @param {string} key
 * @param {object} value
 */
export function save(storage, key, value) {
  try {
    storage().setItem(key, JSON.stringify(value));
  } catch {
    // Storage can be full or forbidden: the page works without.
  }
}

const local = () => localStorage;

/** @returns {Memory} */
export function remembered() {
  return load(local, KEY);
}

/** @param {Memory} memory what is to be remembered beside what is already */
export function remember(memory) {
  save(local, KEY, { ...remembered(), ...memory });
}
