// The web worker of an exported site: loads Python, puzzlekit and tables, and answers questions.

/** @typedef {{id: number, puzzle: string, question: string, body: string}} Question */
/** @typedef {{path: string, bytes: number}[]} Tables */
/** @typedef {{tables: Record<string, Tables>, early: Record<string, Tables>, steps: Record<string, Record<string, Tables>>, numpy: string[]}} Site */

// Not a literal: the type check would look for the file, which only an exported site has.
const PYODIDE = "./pyodide/pyodide.mjs";
const ROOT = "/tables";
const LIBRARY = "/library";
// The archives of Python's library and of puzzlekit, and where Python finds them.
const STANDARD = "pyodide/python_stdlib.zip";
const OWN = "library.zip";
const USED = "/used.zip"; // the part of Python's library that is in use, as bytecode
const VERSION = ""; // The export fills this in.
const OFTEN = 100; // ms between two words of how much is loaded

/** The numbers of questions whose answers are no longer wanted. @type {Set<number>} */
const forgotten = new Set();
/** The tables of each puzzle and step method in use. @type {Map<string, Promise<void>>} */
const loading = new Map();
/** @type {Promise<void> | undefined} */
let compiling;

/** @param {object} message */
function post(message) {
  self.postMessage(message);
}

/** What is being loaded, tables by their megabytes or Python (""), with the loaded share.
 * @type {Map<string, number>} */
const shares = new Map();

/** @param {string} megabytes of the tables that are loaded, or "" @param {number} share that is there */
function tell(megabytes, share) {
  if (share < 1) shares.set(megabytes, share);
  else shares.delete(megabytes);
  const [last, part] = [...shares].pop() ?? [megabytes, 1];
  post({ event: "loading", data: { megabytes: last, share: part } });
}

/** @type {Promise<Site>} */
const site = load("site.json").then((response) => response.json());
const started = start();
started.catch((error) => post({ event: "failed", data: String(error) }));

async function start() {
  tell("", 0);
  const { loadPyodide } = await import(PYODIDE);
  const [used, compiled] = await Promise.all([STANDARD, OWN].map(bytecode));
  const env = {
    PUZZLEKIT_CACHE: ROOT,
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONPATH: USED,
    HOME: "/",
  };
  const fsInit = async (/** @type {any} */ FS) => used && FS.writeFile(USED, used);
  const [python, library] = await Promise.all([
    loadPyodide({ env, fsInit, packages: [] }),
    compiled ?? load(OWN).then((response) => response.arrayBuffer()),
  ]);
  python.unpackArchive(library, "zip", { extractDir: LIBRARY });
  python.runPython(`import sys; sys.path.insert(0, "${LIBRARY}")`);
  const answers = python.pyimport("puzzlekit_web.worker");
  tell("", 1);
  return { python, answers, compiled: used && compiled };
}

/**
 * A cache of this site for later visits.
 * @param {string} what it has
 * @returns {Promise<Cache | undefined>} undefined without https, or where the browser keeps nothing
 */
async function cache(what) {
  return self.caches?.open(`puzzlekit ${what} ${new URL(".", self.location.href)}`).catch(() => undefined);
}

/** @param {string} archive @returns {Promise<Uint8Array | undefined>} it, compiled by an earlier visit */
async function bytecode(archive) {
  const found = await (await cache("bytecode"))?.match(`${archive}?${VERSION}`);
  return found && new Uint8Array(await found.arrayBuffer());
}

/**
 * Compiles the modules in use for later visits, which then begin in half the time. Questions that
 * come meanwhile are answered between two modules.
 */
async function compile() {
  const { python, answers } = await started;
  const kept = await cache("bytecode");
  if (!kept) return;
  await Promise.all((await kept.keys()).map((request) => kept.delete(request)));
  for (const archive of [STANDARD, OWN]) {
    // Not an old file from the browser's own cache, which would outlast it under this version.
    const sources = await (await load(archive, { cache: "no-cache" })).arrayBuffer();
    python.FS.writeFile("/sources.zip", new Uint8Array(sources));
    const parts = answers.compiled.callKwargs("/sources.zip", "/compiled.zip", {
      whole: archive === OWN,
    });
    for (const _ of parts) await pause();
    await kept.put(`${archive}?${VERSION}`, new Response(python.FS.readFile("/compiled.zip")));
  }
}

/** @param {string} path @param {RequestInit} [how] @returns {Promise<Response>} */
async function load(path, how) {
  const response = await fetch(path, how);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

/**
 * A table, from the browser's cache if possible; its name changes with its content.
 * @param {string} path
 */
async function loadTable(path) {
  const kept = await cache("tables");
  const found = await kept?.match(path);
  if (found) return found;
  const response = await load(path);
  // If the browser has no room for the table, it is loaded again at the next visit.
  kept?.put(path, response.clone()).catch(() => {});
  return response;
}

/**
 * @param {string} puzzle
 * @param {string} [steps] the name of a step method
 * @returns {Promise<void>} resolved once a search can begin
 */
function tablesOf(puzzle, steps) {
  const name = `${puzzle} ${steps ?? ""}`;
  let found = loading.get(name);
  if (!found) {
    found = loadTables(puzzle, steps);
    found.catch(() => loading.delete(name));
    loading.set(name, found);
  }
  return found;
}

/** Loads NumPy where it is needed. @param {string} puzzle @param {string} [question] */
async function numpyFor(puzzle, question) {
  const [{ python }, { numpy }] = await Promise.all([started, site]);
  if (question !== "scan" && !numpy.includes(puzzle)) return;
  await python.loadPackage("numpy", { messageCallback: () => {} });
}

/** @param {string} puzzle @param {string} [steps] */
async function loadTables(puzzle, steps) {
  const { tables: own, early, steps: inSteps } = await site;
  const [all, first] = [own, early].map((each) => each[puzzle] ?? []);
  const tables = steps ? (inSteps[puzzle]?.[steps] ?? []) : [...all, ...first];
  const contents = await unpacked(tables); // Python is loaded meanwhile
  const { python, answers, compiled } = await started;
  for (const [i, { path }] of tables.entries()) {
    const place = `${ROOT}/${path}`;
    python.FS.mkdirTree(place.slice(0, place.lastIndexOf("/")));
    python.FS.writeFile(place, contents[i]);
  }
  await numpyFor(puzzle);
  if (!steps) answers.prepare(puzzle);
  if (!compiled) compiling ??= compile().catch(() => {}); // the browser may have no room
}

/** @param {{path: string, bytes: number}[]} tables @returns {Promise<Uint8Array[]>} */
async function unpacked(tables) {
  const total = tables.reduce((sum, each) => sum + each.bytes, 0);
  const megabytes = (total / 1e6).toFixed(1);
  let done = 0;
  let told = 0;
  /** @param {Uint8Array} chunk @param {TransformStreamDefaultController} passed */
  const count = (chunk, passed) => {
    done += chunk.length;
    passed.enqueue(chunk);
    if (performance.now() < told + OFTEN) return;
    told = performance.now();
    tell(megabytes, Math.min(done / total, 0.99));
  };
  const load = async (/** @type {{path: string}} */ { path }) => {
    const { body } = await loadTable(`tables/${path}.gz`);
    const counted = body?.pipeThrough(new TransformStream({ transform: count }));
    const content = counted?.pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(content).arrayBuffer());
  };
  try {
    return await Promise.all(tables.map(load));
  } finally {
    tell(megabytes, 1);
  }
}

/** Gives waiting messages a chance to be handled. */
function pause() {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** @param {Question} asked */
async function answer({ id, puzzle, question, body }) {
  const steps = question === "solve" ? JSON.parse(body).steps : undefined;
  const ready = tablesOf(puzzle, steps ?? undefined);
  ready.catch(() => {}); // the search that needs them tells of it
  const { answers } = await started;
  if (question === "solve") await ready;
  await numpyFor(puzzle, question);
  await pause();
  if (forgotten.delete(id)) return;
  if (question === "solve") {
    post({ id, event: "searching" });
    answers.solve(puzzle, body, (/** @type {string} */ event, /** @type {string} */ data) =>
      post({ id, event, data: JSON.parse(data) }),
    );
  } else {
    const [status, data] = JSON.parse(answers.answer(puzzle, question, body));
    post({ id, event: "answer", data, status });
  }
}

self.addEventListener("message", async ({ data }) => {
  if (data.question === "forget") {
    forgotten.add(data.id);
    return;
  }
  try {
    await answer(data);
  } catch (error) {
    post({ event: "failed", data: String(error) });
  }
});
