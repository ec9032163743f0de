// From where a puzzle is seen: the same in the picture of how it is held and in 3D.

/** @typedef {{latitude: number, longitude: number}} View in degrees: above, and right of the front */

/** @param {string} faces of the puzzle @returns {View} */
export function viewOf(faces) {
  // From the front one sees a single face of a tetrahedron.
  return { latitude: 30, longitude: faces.length === 4 ? 50 : 30 };
}
