// The faults of the painted puzzle, on its stickers and in words, with repairs.

import { diagnosis } from "./diagnosis.js";
import { make } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { lightsUp, net } from "./painting.js";
import { unpaintedWords } from "./scheme.js";
import { said, t } from "./texts.js";

const faults = find("faults", HTMLUListElement);
const repairs = find("repairs", HTMLUListElement);
const title = find("faults-title", HTMLElement);
const repairsTitle = find("repairs-title", HTMLElement);
const box = find("found-faults", HTMLElement);
const solve = find("solve-button", HTMLButtonElement);
const status = find("status", HTMLElement);

/** @param {import("./model.js").Report} report @returns {string} */
function summary(report) {
  if (report.solved) return t("solved");
  if (model.ready) return t("ready");
  const parts = [];
  if (report.faults.length) parts.push(t("faults.count", { count: report.faults.length }));
  const missing = unpaintedWords(model.stickers);
  if (missing) parts.push(missing);
  return parts.join(", ");
}

/** @param {import("./api.js").Fault} fault @returns {HTMLLIElement} */
function faultItem({ words, stickers }) {
  const [first] = stickers;
  if (first === undefined) return make("li", {}, said(words));
  const button = make("button", { type: "button", class: "words" }, said(words));
  button.addEventListener("click", () => net.sticker(first)?.focus());
  lightsUp(button, stickers);
  return make("li", {}, button);
}

/** @param {import("./model.js").Repair} repair @returns {HTMLLIElement} */
function repairItem({ words, stickers, changed }) {
  const button = make("button", { type: "button", "aria-label": t("repairs.named", { what: said(words) }) }, t("repairs.apply"));
  const item = make("li", {}, make("span", {}, said(words)), button);
  button.addEventListener("click", () => {
    // During a new diagnosis, this repair still belongs to the old stickers.
    if (!model.report) return;
    model.setStickers(stickers, "paint");
    // This button disappears; keep the focus near it.
    title.focus({ preventScroll: true });
  });
  lightsUp(item, changed);
  return item;
}

/** The content of the lists: they are rebuilt only on a change, so that they keep the focus. */
let shown = "";

function show() {
  const { report } = model;
  faults.classList.toggle("old", !report);
  repairs.classList.toggle("old", !report);
  // Keep the old faults until the new ones are known, so that nothing flickers.
  if (!report) return;
  const text = summary(report);
  if (status.textContent !== text) status.textContent = text;
  status.className = report.faults.length ? "wrong" : model.ready ? "good" : "";
  const made = JSON.stringify([report.faults, report.repairs]);
  if (made === shown) return;
  shown = made;
  net.mark([], "lit");
  net.mark(
    report.faults.flatMap((fault) => fault.stickers),
    "faulty",
  );
  faults.replaceChildren(...report.faults.map(faultItem));
  repairs.replaceChildren(...report.repairs.map(repairItem));
  title.hidden = report.faults.length === 0;
  repairsTitle.hidden = report.repairs.length === 0;
  const hadFocus = box.contains(document.activeElement);
  box.hidden = title.hidden && repairsTitle.hidden;
  if (hadFocus && box.hidden) solve.focus({ preventScroll: true });
}

model.addEventListener("report", show);
// A new net has no marks yet.
model.addEventListener("puzzle", () => {
  shown = "";
});
diagnosis.addEventListener("failed", (event) => {
  if (event instanceof CustomEvent) status.textContent = said(`${event.detail}`);
});
