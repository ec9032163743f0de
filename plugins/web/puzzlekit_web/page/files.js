// Definition files: chosen, or dropped anywhere on the page. The server reads them.

import { ApiError, api } from "./api.js";
import { find } from "./find.js";
import { askNotice, hideNotice, showError, showNotice } from "./notice.js";
import { t } from "./texts.js";

const MOST = 2_000_000; // bytes

const button = find("open", HTMLButtonElement);
const input = find("open-file", HTMLInputElement);
const scan = find("scan", HTMLDialogElement);

/**
 * Offers to open files, if the page has a server that reads some.
 * @param {string[]} endings of the names of files that can be opened
 * @param {(puzzle: {name: string, title: string}) => Promise<void>} show
 */
export function offerFiles(endings, show) {
  button.hidden = endings.length === 0;
  if (button.hidden || input.accept) return;
  button.title = t("open.about", { endings: endings.join(", ") });
  input.accept = endings.join(",");
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    await open(input.files?.[0]);
    input.value = ""; // so that the same file can be chosen again
  });
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files") && !scan.open) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (scan.open || !event.dataTransfer?.files.length) return;
    event.preventDefault();
    open(event.dataTransfer.files[0]);
  });

  /** @param {File} [file] */
  async function open(file) {
    if (!file) return;
    // Nothing else is read, such as a photo; the server then says which endings there are.
    const known = endings.some((ending) => file.name.toLowerCase().endsWith(ending));
    if (known && file.size > MOST) return showNotice(t("open.large", { name: file.name }));
    const text = known ? await file.text().catch(() => "") : ""; // a folder has none
    const names = puzzlesOf(file.name, text);
    if (names.length < 2) return send(file.name, text);
    askNotice(t("open.which", { name: file.name }), names, (name) => {
      send(`${file.name}#${name}`, text);
    });
  }

  /** @param {string} name @param {string} text */
  async function send(name, text) {
    const reading = t("open.reading", { name });
    showNotice(reading);
    try {
      const puzzle = await api.post("files", { name, text });
      hideNotice(reading);
      await show(puzzle);
    } catch (error) {
      // A text with many quotation marks takes more as JSON.
      if (error instanceof ApiError && error.status === 413) showNotice(t("open.large", { name }));
      else showError(error);
    }
  }
}

/** @param {string} file @param {string} text @returns {string[]} the puzzles in the rows of a table */
function puzzlesOf(file, text) {
  if (!/\.csv$/i.test(file)) return [];
  const rows = text.trim().split(/\r?\n/).slice(1);
  return rows.map((row) => (row.split(",")[0] ?? "").replaceAll('"', "")).filter(Boolean);
}
