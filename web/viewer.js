// The part of cubing.js that ../puzzlekit/serve/page/player.js needs; `web/build` bundles it.
export { TwistyPlayer } from "cubing/twisty";
