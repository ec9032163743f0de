// puzzlekit in Pyodide: loads Python and the sources once, and the tables of a puzzle when they are needed.

import { loadPyodide } from "pyodide";

const ROOT = "/tables";
const LIBRARY = "/library";
const PYTHON = `
import json
import sys

sys.path.insert(0, "${LIBRARY}")

from puzzlekit import PuzzlekitError, StateError
from puzzlekit_repairs import repairs_of_text
from puzzlekit_web.worker import site_solver


def solve(puzzle, position, options):
    return site_solver(puzzle).solve(position, **options).to_dict()


def check(puzzle, position):
    solver = site_solver(puzzle)
    own = solver.puzzle
    try:
        state = solver.positions.read_position(position).state
    except StateError as error:
        repairs = [each.words for each in repairs_of_text(own, position)]
        faults = [str(each) for each in error.faults]
        return {"possible": False, "solved": False, "faults": faults, "repairs": repairs}
    return {"possible": True, "solved": own.is_solved(state), "faults": [], "repairs": []}


def scramble(puzzle, seed):
    return site_solver(puzzle).scramble(seed)


def answer(question, arguments):
    try:
        return json.dumps({"answer": globals()[question](*json.loads(arguments))})
    except PuzzlekitError as error:
        return json.dumps({"error": str(error)})


answer
`;

/** @param {import("./index.d.ts").Options} options */
export async function puzzlekit({ site = new URL("./site/", import.meta.url), pyodide = {} } = {}) {
  const at = (/** @type {string} */ path) => new URL(path, site);
  const env = { PUZZLEKIT_CACHE: ROOT, PYTHONDONTWRITEBYTECODE: "1", HOME: "/" };
  const [python, library, { tables }] = await Promise.all([
    loadPyodide({ env, packages: [], ...pyodide }),
    bytesOf(at("library.zip")),
    bytesOf(at("site.json")).then((bytes) => JSON.parse(new TextDecoder().decode(bytes))),
  ]);
  python.unpackArchive(library, "zip", { extractDir: LIBRARY });
  const answer = python.runPython(PYTHON);
  /** @type {Map<string, Promise<void>>} */
  const loading = new Map();

  /** @param {string} puzzle */
  function tablesOf(puzzle) {
    if (!Object.hasOwn(tables, puzzle)) {
      throw new Error(`there is no puzzle '${puzzle}' here; puzzles: ${Object.keys(tables).join(", ")}`);
    }
    if (!loading.has(puzzle)) {
      const found = load(puzzle);
      found.catch(() => loading.delete(puzzle));
      loading.set(puzzle, found);
    }
    return loading.get(puzzle);
  }

  /** @param {string} puzzle */
  async function load(puzzle) {
    for (const { path } of tables[puzzle]) {
      const place = `${ROOT}/${path}`;
      const packed = await bytesOf(at(`tables/${path}.gz`));
      python.FS.mkdirTree(place.slice(0, place.lastIndexOf("/")));
      python.FS.writeFile(place, await unpacked(packed));
    }
  }

  /** @param {string} question @param {string} puzzle @param {unknown[]} others */
  async function ask(question, puzzle, ...others) {
    await tablesOf(puzzle);
    const told = JSON.parse(answer(question, JSON.stringify([puzzle, ...others])));
    if ("error" in told) throw new Error(told.error);
    return told.answer;
  }

  return {
    puzzles: Object.keys(tables),
    solve: (puzzle, position, options = {}) => ask("solve", puzzle, position, options),
    check: (puzzle, position) => ask("check", puzzle, position),
    scramble: (puzzle, seed) => ask("scramble", puzzle, seed ?? null),
  };
}

/** @param {URL} address of a file, also on this machine @returns {Promise<Uint8Array>} */
async function bytesOf(address) {
  if (address.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return new Uint8Array(await readFile(address));
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** @param {Uint8Array} packed by gzip */
async function unpacked(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
