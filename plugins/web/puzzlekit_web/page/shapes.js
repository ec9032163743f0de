// The geometry of a net: where its stickers, faces and letters are, in units of one small sticker.

/** @typedef {{x: number, y: number}} Point */

/**
 * @typedef {object} Shape a polygon whose sides all touch a circle, so that insets are simple
 * @property {Point[]} points
 * @property {Point} centre of the circle
 * @property {number} radius
 * @property {number} [reach] the radius for insets, larger if the outline has a margin already
 */

/** @typedef {Shape & {facelet: number, row: number, column: number}} Sticker */

/**
 * @typedef {object} Geometry
 * @property {number} width
 * @property {number} height
 * @property {Sticker[]} stickers in the reading order of the net: row by row
 * @property {Shape[]} plates the surfaces under the stickers of a face
 * @property {{text: string, at: Point, size: number, anchor: string}[]} letters of the faces
 */

/** @typedef {{facelet: number, row: number, column: number}} Cell */
/** @typedef {{top: number, left: number, height: number, width: number, cells: Cell[]}} Face */
/** @typedef {"square" | "up" | "down" | "quincunx" | "loose"} Kind how the stickers of a face lie */

const MARGIN = 0.12;

/** @param {import("./model.js").PuzzleRecord} puzzle @returns {Face[]} */
function facesOf(puzzle) {
  /** @type {Cell[][]} */
  const cells = Array.from(puzzle.faces, () => []);
  puzzle.net.forEach((line, row) => {
    line.forEach((facelet, column) => {
      if (facelet !== null) cells[puzzle.face_of[facelet] ?? 0]?.push({ facelet, row, column });
    });
  });
  return cells.map((of) => {
    const rows = of.map((cell) => cell.row);
    const columns = of.map((cell) => cell.column);
    const top = Math.min(...rows);
    const left = Math.min(...columns);
    const height = Math.max(...rows) - top + 1;
    const width = Math.max(...columns) - left + 1;
    return { top, left, height, width, cells: of };
  });
}

/** @param {Face} face @returns {Kind} */
function kindOf(face) {
  const { cells, top, left, height, width } = face;
  if (cells.length === height * width) return "square";
  const middle = left + (width - 1) / 2;
  /** @param {(row: number) => number} reach how far a row goes from the middle */
  const fits = (reach) =>
    width === 2 * height - 1 &&
    cells.length === height * height &&
    cells.every((cell) => Math.abs(cell.column - middle) <= reach(cell.row - top));
  if (fits((row) => row)) return "up";
  if (fits((row) => height - 1 - row)) return "down";
  const odd = cells.every((cell) => (cell.row - top + cell.column - left) % 2 === 0);
  if (cells.length === 5 && height === 3 && width === 3 && odd) return "quincunx";
  return "loose";
}

/**
 * The starts of the rows or columns of a net, with a `gap` between two faces.
 * @param {number} count
 * @param {number} pitch
 * @param {number} gap
 * @param {(i: number) => boolean} meet whether faces meet between `i - 1` and `i`
 * @returns {number[]}
 */
function starts(count, pitch, gap, meet) {
  const found = [0];
  for (let i = 1; i < count; i++) found.push((found[i - 1] ?? 0) + pitch + (meet(i) ? gap : 0));
  return found;
}

/** @param {number} x @param {number} y @returns {Point} */
const point = (x, y) => ({ x, y });

/** @param {number} x @param {number} y @param {number} side @returns {Shape} */
function square(x, y, side) {
  const points = [point(x, y), point(x + side, y), point(x + side, y + side), point(x, y + side)];
  return { points, centre: point(x + side / 2, y + side / 2), radius: side / 2 };
}

/** @param {Point[]} points @returns {Record<"left" | "top" | "right" | "bottom", number>} */
export function bounds(points) {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** @param {Point} a @param {Point} b @returns {number} */
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** @param {[Point, Point, Point]} points @returns {Shape} */
function triangle(points) {
  const [a, b, c] = points;
  const sides = [distance(b, c), distance(c, a), distance(a, b)];
  const around = sides.reduce((sum, side) => sum + side);
  /** @param {"x" | "y"} axis */
  const middle = (axis) =>
    points.reduce((sum, p, i) => sum + p[axis] * (sides[i] ?? 0), 0) / around;
  const area = Math.abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
  return { points, centre: point(middle("x"), middle("y")), radius: (2 * area) / around };
}

/** @param {number} x of the middle @param {number} y of the top @param {number} half of the base
 *  @param {number} height @param {boolean} up @returns {Shape} */
function pointing(x, y, half, height, up) {
  const [base, apex] = up ? [y + height, y] : [y, y + height];
  return triangle([point(x - half, base), point(x, apex), point(x + half, base)]);
}

/** @param {Shape} whole the square of the face @param {number} row @param {number} column
 *  @returns {Shape} a corner of it, or the square between the middles of its sides */
function ofQuincunx(whole, row, column) {
  const { centre, radius } = whole;
  if (row === 1) {
    const points = [point(0, -1), point(1, 0), point(0, 1), point(-1, 0)];
    const scaled = points.map((p) => point(centre.x + radius * p.x, centre.y + radius * p.y));
    return { points: scaled, centre, radius: radius * Math.SQRT1_2 };
  }
  const x = centre.x + radius * (column - 1);
  const y = centre.y + radius * (row - 1);
  return triangle([point(x, y), point(centre.x, y), point(x, centre.y)]);
}

/** @param {[number, number][]} corners @returns {Shape} with the largest circle about its middle */
function polygon(corners) {
  const points = corners.map(([x, y]) => point(x, y));
  /** @type {[Point, Point][]} */
  const sides = points.map((p, i) => [p, points[(i + 1) % points.length] ?? p]);
  const areas = sides.map(([a, b]) => a.x * b.y - b.x * a.y);
  const area = areas.reduce((sum, each) => sum + each) / 2;
  /** @param {"x" | "y"} axis */
  const middle = (axis) =>
    sides.reduce((sum, [a, b], i) => sum + (a[axis] + b[axis]) * (areas[i] ?? 0), 0) / (6 * area);
  const centre = point(middle("x"), middle("y"));
  const radii = sides
    .filter(([a, b]) => distance(a, b) > 1e-6)
    .map(
      ([a, b]) =>
        Math.abs((b.x - a.x) * (centre.y - a.y) - (b.y - a.y) * (centre.x - a.x)) / distance(a, b),
    );
  const radius = Math.max(Math.min(...radii), 0.12);
  return { points, centre, radius, reach: 3 * radius };
}

/**
 * The geometry of a net that the plugin of the puzzle draws. The letters of faces are beside their
 * upper left corner.
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {import("./model.js").NetDrawing} drawing
 * @param {Face[]} faces
 * @returns {Geometry}
 */
function drawn(puzzle, drawing, faces) {
  const cells = new Map(faces.flatMap((face) => face.cells.map((cell) => [cell.facelet, cell])));
  const boxes = Array.from(puzzle.faces, (_, face) => {
    const own = drawing.stickers.filter(([facelet]) => puzzle.face_of[facelet] === face);
    const corners = own.flatMap(([, outline]) => outline);
    return bounds(corners.map(([x, y]) => point(x, y)));
  });
  const right = Math.max(...boxes.map((box) => box.right));
  const size = Math.max(right / 27, 0.3);
  // Square faces have no free corner for a letter: rows of them move apart.
  const tops = [...new Set(boxes.map((box) => Math.round(box.top * 100)))].sort((a, b) => a - b);
  const apart = drawing.plates.every((plate) => plate.length === 4) ? 1.4 * size : 0;
  /** @param {number} x @param {number} y @returns {number} how far what is there moves down */
  const down = (x, y) => {
    const box = boxes.find(
      (b) => x >= b.left - 0.1 && x <= b.right + 0.1 && y >= b.top - 0.1 && y <= b.bottom + 0.1,
    );
    return 1.4 * size + (box ? apart * tops.indexOf(Math.round(box.top * 100)) : 0);
  };
  /** @param {[number, number][]} outline */
  const placed = (outline) => {
    const { centre } = polygon(outline);
    const lower = down(centre.x, centre.y);
    return polygon(outline.map(([x, y]) => [x, y + lower]));
  };
  const stickers = drawing.stickers.map(([facelet, outline]) => {
    const cell = cells.get(facelet) ?? { facelet, row: 0, column: 0 };
    return { ...cell, ...placed(outline) };
  });
  stickers.sort((a, b) => a.row - b.row || a.column - b.column);
  const plates = drawing.plates.map(placed);
  const letters = boxes.flatMap(({ left, right, top }, face) => {
    const text = puzzle.face_names[face] ?? "";
    const y = top + down(left, top) - 0.4 * size;
    // Where faces touch, there is no room for all names.
    const free = (/** @type {number} */ x) => plates.every((p) => distance(p.centre, point(x, y)) > p.radius);
    /** @type {[string, number][]} */
    const places = [
      ["start", left],
      ["end", right],
    ];
    return places.filter(([, x]) => free(x)).slice(0, 1).map(([anchor, x]) => ({ text, at: point(x, y), size, anchor }));
  });
  const whole = bounds(plates.flatMap((plate) => plate.points));
  return {
    width: whole.right + MARGIN,
    height: whole.bottom + MARGIN,
    stickers,
    plates,
    letters,
  };
}

/**
 * The geometry of a puzzle's net, from the rows of its layout. Faces whose stickers form a triangle
 * or the five of a die, get the sticker shapes of such puzzles.
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @returns {Geometry}
 */
export function geometry(puzzle) {
  const { net } = puzzle;
  const faces = facesOf(puzzle);
  if (puzzle.drawing) return drawn(puzzle, puzzle.drawing, faces);
  const kinds = faces.map(kindOf);
  const rows = net.length;
  const columns = Math.max(...net.map((line) => line.length));
  const pitch = kinds.some((kind) => kind === "up" || kind === "down") ? Math.sqrt(3) : 1;
  const side = Math.max(...faces.map((face) => face.height));
  const size = Math.max(columns / 27, 0.3);
  /** @param {number} row @param {number} column */
  const face = (row, column) => {
    const facelet = net[row]?.[column];
    return facelet === null || facelet === undefined ? -1 : (puzzle.face_of[facelet] ?? -1);
  };
  /** @param {number} a @param {number} b */
  const differ = (a, b) => a >= 0 && b >= 0 && a !== b;
  const x = starts(columns, 1, 0.15 * side, (c) =>
    net.some((_, row) => differ(face(row, c - 1), face(row, c))),
  );
  const y = starts(rows, pitch, 1.9 * size, (r) =>
    Array.from({ length: columns }, (_, c) => c).some((c) => differ(face(r - 1, c), face(r, c))),
  );
  // Triangles extend half a sticker beyond their cells.
  const edge = MARGIN + (pitch > 1 ? 0.5 : 0);
  const above = MARGIN + 1.4 * size;
  /** @param {number} row @param {number} column */
  const corner = (row, column) => point((x[column] ?? 0) + edge, (y[row] ?? 0) + above);

  /** @type {Sticker[]} */
  const stickers = [];
  /** @type {Shape[]} */
  const plates = [];
  /** @type {Geometry["letters"]} */
  const letters = [];
  faces.forEach(({ top, left, height, width, cells }, i) => {
    const kind = kinds[i];
    const start = corner(top, left);
    const triangular = kind === "up" || kind === "down";
    const whole = !triangular && kind !== "loose" && height === width;
    const middle = start.x + width / 2;
    if (triangular) {
      plates.push(pointing(middle, start.y, (width + 1) / 2, height * pitch, kind === "up"));
    } else if (whole) plates.push(square(start.x, start.y, width));
    // Above the apex of a triangle, otherwise above the start of the face.
    const over = kind === "up" ? middle : start.x - (triangular ? 0.35 : 0);
    const anchor = kind === "up" ? "middle" : "start";
    const at = point(over, start.y - 0.58 * size);
    letters.push({ text: puzzle.face_names[i] ?? "", at, size, anchor });
    for (const cell of cells) {
      const at = corner(cell.row, cell.column);
      let shape = square(at.x, at.y, 1);
      if (triangular) {
        const row = kind === "up" ? height - 1 - (cell.row - top) : cell.row - top;
        const outer = (cell.column - left - row) % 2 === 0;
        shape = pointing(at.x + 0.5, at.y, 1, pitch, outer === (kind === "up"));
      } else if (kind === "quincunx") {
        const face = square(start.x, start.y, width);
        shape = ofQuincunx(face, cell.row - top, cell.column - left);
      }
      // Without an outline of the face, each sticker has one: white ones must be visible on paper.
      if (!triangular && !whole) plates.push(shape);
      stickers.push({ ...cell, ...shape });
    }
  });
  stickers.sort((a, b) => a.row - b.row || a.column - b.column);
  const end = corner(rows - 1, columns - 1);
  return {
    width: end.x + 1 + edge,
    height: end.y + pitch + MARGIN,
    stickers,
    plates,
    letters,
  };
}

/**
 * The outline of a shape as path data.
 * @param {Shape} shape
 * @param {number} inset how far within its sides; negative for outside
 * @param {number} round how far from a corner its rounding begins
 * @returns {string}
 */
export function outline({ points, centre, radius, reach = radius }, inset, round) {
  const scale = (reach - inset) / reach;
  const corners = points.map((p) =>
    point(centre.x + (p.x - centre.x) * scale, centre.y + (p.y - centre.y) * scale),
  );
  const write = (/** @type {Point} */ p) => `${p.x.toFixed(3)} ${p.y.toFixed(3)}`;
  const parts = corners.map((p, i) => {
    const before = corners.at(i - 1) ?? p;
    const after = corners[(i + 1) % corners.length] ?? p;
    /** @param {Point} other */
    const towards = (other) => {
      const share = Math.min(0.5, round / distance(p, other));
      return point(p.x + (other.x - p.x) * share, p.y + (other.y - p.y) * share);
    };
    return `${i ? "L" : "M"}${write(towards(before))}Q${write(p)} ${write(towards(after))}`;
  });
  return `${parts.join("")}Z`;
}
