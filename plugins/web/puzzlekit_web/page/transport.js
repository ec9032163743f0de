// The transport of this page. An exported site replaces this file (see local.js).

export { server as transport } from "./server.js";
