// Every text that a person sees: in texts/, one file a language. No other file of the page has any.

import { remember, remembered } from "./store.js";

/** What the files in texts/ are named after. The first is for people whose language is not there. */
const LANGUAGES = ["en", "de", "fr", "es", "ja", "zh"];

/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Text with forms for numbers */

/** @returns {string} the language of the link, the one chosen before, or the browser's */
function chosen() {
  const asked = new URLSearchParams(location.hash.slice(1)).get("language");
  const wanted = [asked, remembered().language, ...navigator.languages];
  const known = wanted.map((each) => (each ?? "").toLowerCase().replace(/[-_].*/, ""));
  return known.find((each) => LANGUAGES.includes(each)) ?? "en";
}

export const language = chosen();

/** @type {{texts: Record<string, Text>, said: Record<string, string>}} */
const { texts, said: translations } = await load(language);
const plurals = new Intl.PluralRules(language);

/** @param {string} code */
async function load(code) {
  const response = await fetch(new URL(`texts/${code}.json`, import.meta.url));
  return response.json();
}

/**
 * A text in the language of the page.
 * @param {string} key
 * @param {Record<string, string | number>} [values] what its {names} stand for; `count` chooses
 *   the form
 * @returns {string}
 */
export function t(key, values = {}) {
  const text = texts[key] ?? key;
  const { count } = values;
  const form =
    typeof text === "string" ? text : (text[plurals.select(Number(count))] ?? text.other ?? key);
  return form.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name] ?? whole;
    return typeof value === "number" ? value.toLocaleString(language) : value;
  });
}

/** @param {string} key @returns {boolean} whether there is such a text */
export const has = (key) => key in texts;

/**
 * What the library says, as expressions. {0} stands for a word that varies, and {1+} for several.
 */
const patterns = Object.entries(translations).map(([sentence, meaning]) => {
  const pattern = sentence
    .replace(/[.*?^$()|[\]\\]/g, "\\$&")
    .replace(/\{\d(\+?)\}/g, (_, several) => (several ? "(.+)" : "(\\S+)"));
  return { meant: new RegExp(`^${pattern}$`), meaning };
});

/**
 * A sentence of the library in the language of the page, if it is known there.
 * @param {string} sentence
 * @returns {string}
 */
export function said(sentence) {
  for (const { meant, meaning } of patterns) {
    const found = meant.exec(sentence);
    if (found) return meaning.replace(/\{(\d)\}/g, (_, i) => said(found[Number(i) + 1] ?? ""));
  }
  return sentence;
}

/** @param {string} code @returns {string} the name of a language, in that language */
function nameOf(code) {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** Writes the texts of the document: `data-text` has the key of its content, `data-texts` those of
 *  attributes, as in "title:undo.keys". */
function write() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = t(element.getAttribute("data-text") ?? "");
  }
  for (const element of document.querySelectorAll("[data-texts]")) {
    for (const each of (element.getAttribute("data-texts") ?? "").split(" ")) {
      const [attribute = "", key = ""] = each.split(":");
      element.setAttribute(attribute, t(key));
    }
  }
  for (const element of document.querySelectorAll("[data-waiting]")) {
    element.removeAttribute("hidden");
  }
}

/**
 * Offers the languages in a menu.
 * @param {HTMLSelectElement} menu
 * @param {() => void} leave called before the page is loaded again, in another language
 */
export function offerLanguages(menu, leave) {
  menu.replaceChildren(...LANGUAGES.map((code) => new Option(nameOf(code), code)));
  menu.value = language;
  menu.addEventListener("change", () => {
    remember({ language: menu.value });
    leave();
    location.reload();
  });
}

write();
