// Animated pictures: a GIF of frames that a canvas draws.

/** @typedef {{draw: (pen: CanvasRenderingContext2D) => void, time: number}} Frame time in milliseconds */

const COLOURS = 255; // and one for pixels that stay as they are
const SAMPLES = 16; // frames whose colours are counted
const CLEAR = 256;
const END = 257;
const LONGEST = 4096; // codes

/**
 * @param {Frame[]} frames
 * @param {number} width @param {number} height in pixels
 * @returns {Promise<Blob>}
 */
export async function gif(frames, width, height) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  const drawn = (/** @type {Frame} */ { draw }) => {
    draw(pen);
    return pen.getImageData(0, 0, width, height).data;
  };
  const step = Math.ceil(frames.length / SAMPLES);
  const palette = new Palette(frames.filter((_, i) => i % step === 0).map(drawn));
  /** @type {Uint8Array[]} */
  const blocks = [header(width, height, palette.colours)];
  let before = new Uint8Array(width * height).fill(COLOURS);
  for (const frame of frames) {
    const now = palette.indices(drawn(frame));
    blocks.push(...image(before, now, width, Math.round(frame.time / 10)));
    before = now;
    await new Promise((next) => setTimeout(next)); // the page stays alive
  }
  return new Blob([...blocks, Uint8Array.of(0x3b)], { type: "image/gif" });
}

/** The commonest colours of pictures, and the nearest one of any other. */
class Palette {
  /** @type {number[][]} */
  colours = [];
  /** By the five highest bits of red, green and blue; -1 where it is not known yet. */
  #nearest = new Int16Array(1 << 15).fill(-1);

  /** @param {Uint8ClampedArray[]} pictures */
  constructor(pictures) {
    // How often a cell occurs, and the sums of its reds, greens and blues.
    const sums = [0, 1, 2, 3].map(() => new Uint32Array(1 << 15));
    const [counts] = sums;
    for (const data of pictures) {
      for (let i = 0; i < data.length; i += 4) {
        const cell = cellOf(data, i);
        counts[cell]++;
        for (let part = 0; part < 3; part++) sums[part + 1][cell] += data[i + part];
      }
    }
    const common = [...counts.keys()].filter((cell) => counts[cell]).sort((a, b) => counts[b] - counts[a]);
    common.slice(0, COLOURS).forEach((cell, i) => {
      this.#nearest[cell] = i;
      this.colours.push(sums.slice(1).map((sum) => Math.round(sum[cell] / counts[cell])));
    });
  }

  /** @param {Uint8ClampedArray} data @returns {Uint8Array} the colour of each pixel */
  indices(data) {
    const result = new Uint8Array(data.length / 4);
    const nearest = this.#nearest;
    for (let i = 0; i < result.length; i++) {
      const cell = cellOf(data, 4 * i);
      if (nearest[cell] < 0) nearest[cell] = this.#near(data.slice(4 * i, 4 * i + 3));
      result[i] = nearest[cell];
    }
    return result;
  }

  /** @param {Uint8ClampedArray} colour @returns {number} */
  #near([red = 0, green = 0, blue = 0]) {
    const apart = this.colours.map(([r = 0, g = 0, b = 0]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
    return apart.indexOf(Math.min(...apart));
  }
}

/** @param {Uint8ClampedArray} data @param {number} i where red, green and blue are */
const cellOf = (data, i) => ((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3);

/** @param {number} value @returns {[number, number]} two bytes, the lower first */
const short = (value) => [value & 255, value >> 8];

/** @param {number} width @param {number} height @param {number[][]} colours @returns {Uint8Array} */
function header(width, height, colours) {
  const table = new Array(3 * (COLOURS + 1)).fill(0);
  colours.flat().forEach((part, i) => (table[i] = part));
  const letters = (/** @type {string} */ text) => Array.from(text, (each) => each.charCodeAt(0));
  const endless = [0x21, 0xff, 11, ...letters("NETSCAPE2.0"), 3, 1, 0, 0, 0];
  return Uint8Array.of(...letters("GIF89a"), ...short(width), ...short(height), 0xf7, 0, 0, ...table, ...endless);
}

/**
 * The part of a picture that has changed.
 * @param {Uint8Array} before @param {Uint8Array} now
 * @param {number} width
 * @param {number} time in hundredths of a second
 * @returns {Uint8Array[]}
 */
function image(before, now, width, time) {
  let [left, right, top, bottom] = [width, 0, now.length, 0];
  for (let i = 0; i < now.length; i++) {
    if (now[i] === before[i]) continue;
    const x = i % width;
    const y = (i - x) / width;
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  if (left > right) [left, right, top, bottom] = [0, 0, 0, 0];
  const [wide, high] = [right - left + 1, bottom - top + 1];
  const part = new Uint8Array(wide * high);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const i = (top + y) * width + left + x;
      part[y * wide + x] = now[i] === before[i] ? COLOURS : now[i];
    }
  }
  const control = [0x21, 0xf9, 4, 0b101, ...short(time), COLOURS, 0];
  const place = [0x2c, ...short(left), ...short(top), ...short(wide), ...short(high), 0, 8];
  return [Uint8Array.of(...control, ...place), packed(part)];
}

const known = new Uint16Array(LONGEST * 256);

/** Pixels as LZW codes, in blocks of up to 255 bytes. @param {Uint8Array} pixels @returns {Uint8Array} */
function packed(pixels) {
  /** @type {number[]} */
  const bytes = [];
  let [held, bits, width, next] = [0, 0, 9, END + 1];
  const put = (/** @type {number} */ code) => {
    held |= code << bits;
    for (bits += width; bits >= 8; bits -= 8, held >>>= 8) bytes.push(held & 255);
  };
  /** After a code, the decoder knows one more. */
  const grow = () => {
    if (next === 1 << width && width < 12) width++;
  };
  known.fill(0);
  put(CLEAR);
  let code = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const pixel = pixels[i];
    const longer = (code << 8) | pixel;
    const found = known[longer];
    if (found) {
      code = found;
      continue;
    }
    put(code);
    code = pixel;
    if (next === LONGEST) {
      put(CLEAR);
      known.fill(0);
      [width, next] = [9, END + 1];
    } else {
      grow();
      known[longer] = next++;
    }
  }
  put(code);
  grow();
  put(END);
  if (bits) bytes.push(held & 255);
  const blocks = [];
  for (let i = 0; i < bytes.length; i += 255) {
    const block = bytes.slice(i, i + 255);
    blocks.push(block.length, ...block);
  }
  return Uint8Array.from([...blocks, 0]);
}
