// The viewpoint: the same in the picture of the holding and in 3D.

/** @typedef {{latitude: number, longitude: number}} View in degrees: above, and right of the front */

/** @param {import("./model.js").PuzzleRecord} puzzle @returns {View} */
export function viewOf({ longitude }) {
  return { latitude: 30, longitude };
}
