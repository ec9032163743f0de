// The moves of a solution as buttons, in one line that wraps.

import { make } from "./elements.js";
import { steps } from "./steps.js";

/** @param {HTMLElement} container */
export function startMoves(container) {
  /** @type {HTMLButtonElement[]} */
  let buttons = [];

  const list = () => {
    buttons = (steps.walk?.moves ?? []).map((move, i) => {
      const button = make("button", { type: "button", class: "move" }, move);
      button.addEventListener("click", () => steps.go(i + 1));
      return button;
    });
    const hadFocus = container.contains(document.activeElement);
    const named = (steps.walk?.marks ?? []).filter(({ first, last }) => first < last);
    /** @param {number} i @returns {HTMLElement[]} the name of the step that begins here */
    const before = (i) => {
      const mark = named.find(({ first }) => first === i);
      if (!mark) return [];
      const name = make("span", { class: "mark" }, mark.name);
      return i ? [make("span", { class: "line" }), name] : [name];
    };
    container.replaceChildren(...buttons.flatMap((button, i) => [...before(i), button]));
    mark();
    // A better answer has removed the button with the focus.
    if (hadFocus) (buttons[steps.at - 1] ?? buttons[0])?.focus({ preventScroll: true });
  };

  const mark = () => {
    const hadFocus = buttons.some((button) => button === document.activeElement);
    buttons.forEach((button, i) => {
      button.classList.toggle("made", i < steps.at - 1);
      if (i === steps.at - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const current = buttons[steps.at - 1];
    if (hadFocus) (current ?? buttons[0])?.focus({ preventScroll: true });
    reveal(container, current);
  };
  steps.addEventListener("walk", list);
  steps.addEventListener("step", mark);
}

/**
 * Scrolls a long list, and not the page, to its current move.
 * @param {HTMLElement} list
 * @param {HTMLElement} [move] none at the start
 */
function reveal(list, move) {
  const top = move ? move.offsetTop - list.offsetTop : 0;
  const seen = top >= list.scrollTop && top + (move?.offsetHeight ?? 0) <= list.scrollTop + list.clientHeight;
  if (!seen) list.scrollTop = move ? top - list.clientHeight / 2 : 0;
}
