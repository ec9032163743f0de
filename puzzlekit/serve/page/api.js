// The JSON API that the page asks, whoever answers it.

import { transport } from "./transport.js";

export { ApiError, connection, told } from "./failure.js";

/** @typedef {import("./failure.js").Fault} Fault */
/** @typedef {import("./failure.js").ErrorRecord} ErrorRecord */

/**
 * @typedef {object} Transport the way to what answers; failures are thrown as an ApiError
 * @property {(path: string, signal?: AbortSignal) => Promise<any>} get asks for what there is; the
 *   path is that below /api/, as in "puzzles/cube3"
 * @property {(path: string, body: unknown, signal?: AbortSignal) => Promise<any>} post asks about a
 *   puzzle, as in "puzzles/cube3/diagnose"; the body is sent as JSON
 * @property {(path: string, body: unknown, signal?: AbortSignal) =>
 *   AsyncGenerator<{event: string, data: any}, void, void>} events the events of a search, as they
 *   come; whoever stops listening ends the search
 */

/** @type {Transport} */
export const api = transport;
