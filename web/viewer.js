// The part of cubing.js that ../plugins/web/puzzlekit_web/page/player.js needs; `web/build` bundles it.
export { TwistyPlayer } from "cubing/twisty";
