// The colours of stickers, and the ink in which a letter is readable on them.

/** Colours as on the cubes that are sold, told apart well beside each other. @type {Record<string, string>} */
const KNOWN = {
  white: "#ffffff",
  yellow: "#ffd60a",
  orange: "#ff8c1a",
  red: "#c8102e",
  green: "#0a9d4f",
  blue: "#1756c9",
  purple: "#7a3fb0",
  violet: "#7a3fb0",
  pink: "#ff9ec7",
  grey: "#9a9da3",
  gray: "#9a9da3",
  black: "#303338",
  brown: "#8a5a33",
  cyan: "#4cc9e8",
  "light blue": "#7cc4ff",
  "light green": "#93d94e",
  "dark green": "#0b6b3a",
  "dark blue": "#12378a",
  beige: "#f0e2bd",
  cream: "#f6edc8",
};

const DARK = "#000000";
const LIGHT = "#ffffff";

/**
 * The CSS colour of a colour given in words.
 * @param {string} word
 * @param {number} index tells colours apart that have no known name
 * @param {number} count of how many colours this is one
 * @returns {string} "#rrggbb"
 */
export function cssColour(word, index, count) {
  return KNOWN[word.toLowerCase()] ?? fromHue((360 * index) / Math.max(count, 1));
}

/** @param {number} hue in degrees @returns {string} "#rrggbb" */
function fromHue(hue) {
  const part = (/** @type {number} */ n) => {
    const k = (n + hue / 30) % 12;
    const level = 0.55 - 0.3 * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * level)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

/** The relative luminance of WCAG 2. @param {string} colour "#rrggbb" @returns {number} */
function luminance(colour) {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const level = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast ratio of WCAG 2. @param {string} a @param {string} b @returns {number} */
function contrast(a, b) {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/**
 * The ink, dark or light, with the better contrast on a colour: at least 4.5 : 1 on all of them.
 * @param {string} colour "#rrggbb"
 * @returns {string}
 */
export function inkOn(colour) {
  return contrast(DARK, colour) >= contrast(LIGHT, colour) ? DARK : LIGHT;
}
