// Starts everything.

import { api } from "./api.js";
import { model } from "./model.js";
import { Net } from "./net.js";

const net = new Net(/** @type {Element} */ (document.getElementById("net")), {
  label: "Net to paint",
  interactive: true,
});
model.addEventListener("puzzle", () => model.puzzle && net.layout(model.puzzle));
model.addEventListener("stickers", () => {
  if (model.scheme) net.show(model.stickers, model.scheme);
});

const select = /** @type {HTMLSelectElement} */ (document.getElementById("puzzle"));
select.addEventListener("change", () => model.choosePuzzle(select.value));
const { puzzles } = await api.get("puzzles");
for (const { name, title } of puzzles) select.append(new Option(title, name));
await model.choosePuzzle(select.value);
