// The JSON API of the server that this page came from.

/**
 * @typedef {object} Fault
 * @property {string} words
 * @property {number[]} stickers the facelets concerned; none where it is about no place
 */

/**
 * @typedef {object} ErrorRecord what the server says of a request that it cannot do
 * @property {string} error
 * @property {string} kind "request", "usage", "notation", "state", "unsolved", "busy",
 *   "environment"; or "unreachable" where there was no answer at all
 * @property {Fault[]} [faults]
 * @property {number} [column]
 * @property {string} [token]
 * @property {string} [hint]
 */

export class ApiError extends Error {
  /** @param {ErrorRecord} record @param {number} status of the answer; 0 where there was none */
  constructor(record, status = 0) {
    super(record.error);
    this.name = "ApiError";
    this.record = record;
    this.kind = record.kind;
    this.status = status;
  }
}

/** Tells by the events "lost" and "found" whether the server answers. */
export const connection = new EventTarget();

const UNREACHABLE = "puzzlekit does not answer";

/** @param {unknown} cause what `fetch` or a stream failed with @returns {unknown} */
function lost(cause) {
  if (cause instanceof DOMException && cause.name === "AbortError") return cause;
  connection.dispatchEvent(new Event("lost"));
  return new ApiError({ error: UNREACHABLE, kind: "unreachable" });
}

/**
 * @param {string} path below /api/
 * @param {RequestInit} options
 * @returns {Promise<Response>} a good one; everything else is thrown as an ApiError
 */
async function ask(path, options) {
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch (cause) {
    throw lost(cause);
  }
  connection.dispatchEvent(new Event("found"));
  if (response.ok) return response;
  let record;
  try {
    record = await response.json();
  } catch {
    record = null;
  }
  if (typeof record?.error !== "string") {
    record = { error: `the server answered ${response.status}`, kind: "request" };
  }
  throw new ApiError(record, response.status);
}

/** @param {unknown} body @param {AbortSignal} [signal] @returns {RequestInit} */
function posting(body, signal) {
  const headers = { "Content-Type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body), signal: signal ?? null };
}

/** @param {Response} response @returns {Promise<any>} */
async function read(response) {
  try {
    return await response.json();
  } catch (cause) {
    throw lost(cause);
  }
}

/**
 * The lines of a stream, without their ends.
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {AsyncGenerator<string, void, void>}
 */
async function* lines(stream) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const found = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = found.pop() ?? "";
      yield* found;
    }
  } finally {
    // Whoever stops listening ends the request, and with it the search.
    reader.cancel().catch(() => {});
  }
}

const LINES = 3; // of faults: all of them are told beside the net

/**
 * What an error record tells, in few lines: the first faults, or else the error itself.
 * @param {ErrorRecord} record
 * @returns {string[]}
 */
export function told({ error, faults = [] }) {
  const words = faults.map((fault) => fault.words);
  if (words.length === 0) return [error];
  if (words.length <= LINES) return words;
  const shown = words.slice(0, LINES - 1);
  return [...shown, `and ${words.length - shown.length} more faults`];
}

export const api = {
  /**
   * @param {string} path below /api/, as in "puzzles/cube3"
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  async get(path, signal) {
    return read(await ask(path, { signal: signal ?? null }));
  },

  /**
   * @param {string} path below /api/
   * @param {unknown} body sent as JSON
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  async post(path, body, signal) {
    return read(await ask(path, posting(body, signal)));
  },

  /**
   * The events of a search, as they come.
   * @param {string} path below /api/
   * @param {unknown} body sent as JSON
   * @param {AbortSignal} [signal]
   * @returns {AsyncGenerator<{event: string, data: any}, void, void>}
   */
  async *events(path, body, signal) {
    const response = await ask(path, posting(body, signal));
    if (!response.body) return;
    let event = "message";
    /** @type {string[]} */
    let data = [];
    try {
      for await (const line of lines(response.body)) {
        if (line.startsWith("event:")) event = line.slice(6).trim();
        else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
        else if (line === "") {
          if (data.length) yield { event, data: JSON.parse(data.join("\n")) };
          event = "message";
          data = [];
        }
      }
    } catch (cause) {
      // Only a stream that broke: what the caller throws into the loop does not come here.
      throw lost(cause);
    }
  },
};
