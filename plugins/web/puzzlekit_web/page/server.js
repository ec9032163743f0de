// Requests to the server of this page.

import { ApiError, connection } from "./failure.js";
import { t } from "./texts.js";

/** @param {unknown} cause what `fetch` or a stream failed with @returns {unknown} */
function lost(cause) {
  if (cause instanceof DOMException && cause.name === "AbortError") return cause;
  connection.dispatchEvent(new Event("lost"));
  return new ApiError({ error: t("unreachable"), kind: "unreachable" });
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
    record = { error: t("answered", { status: `${response.status}` }), kind: "request" };
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
    // A caller that stops listening ends the request and the search.
    reader.cancel().catch(() => {});
  }
}

/** @type {import("./api.js").Transport} */
export const server = {
  async get(path, signal) {
    return read(await ask(path, { signal: signal ?? null }));
  },

  async post(path, body, signal) {
    return read(await ask(path, posting(body, signal)));
  },

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
      // Only a broken stream: errors that the caller throws into the loop do not come here.
      throw lost(cause);
    }
  },
};
