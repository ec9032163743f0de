// What ../puzzlekit/serve/page/player.js needs of cubing.js; `web/build` makes one file of it.
export { TwistyPlayer } from "cubing/twisty";
