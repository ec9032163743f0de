// Texts that are copied to the clipboard.

import { make } from "./elements.js";
import { t } from "./texts.js";

/**
 * @param {string} text
 * @param {HTMLElement} place where it is told
 * @param {string} done what to say then
 */
export async function copy(text, place, done) {
  try {
    await navigator.clipboard.writeText(text);
    place.textContent = done;
  } catch {
    // Copying is not allowed here: show the text selected, so that a key copies it.
    const field = make("input", { readonly: "", "aria-label": t("copy.field"), class: "to-copy" });
    field.value = text;
    place.replaceChildren(t("copy.here"), " ", field);
    field.select();
  }
}
