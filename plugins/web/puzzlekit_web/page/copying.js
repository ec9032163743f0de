// Texts that are copied to the clipboard.

import { make } from "./elements.js";

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
    const field = make("input", { readonly: "", "aria-label": "To copy", class: "to-copy" });
    field.value = text;
    place.replaceChildren("Copy it from here: ", field);
    field.select();
  }
}
