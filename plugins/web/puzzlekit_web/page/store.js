// Settings that the browser keeps between visits, if it may.

const KEY = "puzzlekit";

/**
 * @typedef {object} Memory
 * @property {string} [puzzle]
 * @property {string} [language]
 * @property {Record<string, string>} [schemes] the name of the scheme of each puzzle
 * @property {Record<string, Record<string, string>>} [own] the own colours of each puzzle's
 *   faces
 * @property {boolean} [behind] whether the 3D view shows the back, too
 * @property {Record<string, Solving>} [solving] the options for each puzzle
 */

/**
 * @typedef {object} Solving the chosen options; "" for the default time limit
 * @property {string} method
 * @property {string} heuristic
 * @property {string} [metric]
 * @property {string} [what] what is solved: "" for all, "goal:cross", "steps:cfop"
 * @property {string} seconds
 */

/**
 * The object that is stored under a key; an empty one if there is none or reading is forbidden.
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
    // Storage can be full or forbidden; the page works without it.
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
