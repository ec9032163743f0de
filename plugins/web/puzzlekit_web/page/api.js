// The JSON API of the page, independent of the transport.

import { transport } from "./transport.js";

export { ApiError, connection, told } from "./failure.js";

/** @typedef {import("./failure.js").Fault} Fault */
/** @typedef {import("./failure.js").ErrorRecord} ErrorRecord */

/**
 * @typedef {object} Transport sends requests; failures are thrown as an ApiError
 * @property {(path: string, signal?: AbortSignal) => Promise<any>} get asks for what there is; the
 *   path is that below /api/, as in "puzzles/cube3"
 * @property {(path: string, body: unknown, signal?: AbortSignal) => Promise<any>} post asks about a
 *   puzzle, as in "puzzles/cube3/diagnose"; the body is sent as JSON
 * @property {(path: string, body: unknown, signal?: AbortSignal) =>
 *   AsyncGenerator<{event: string, data: any}, void, void>} events the events of a search, as they
 *   come; a caller that stops listening ends the search
 */

/** @type {Transport} */
export const api = transport;
