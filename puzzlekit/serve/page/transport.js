// What answers this page. An exported site has another file in place of this one (see local.js).

export { server as transport } from "./server.js";
