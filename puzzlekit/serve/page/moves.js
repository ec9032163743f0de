// The moves of a solution as buttons, phase by phase.

import { make } from "./elements.js";
import { steps } from "./steps.js";

/** @param {HTMLElement} container */
export function startMoves(container) {
  /** @type {HTMLButtonElement[]} */
  let buttons = [];

  const list = () => {
    const { walk } = steps;
    buttons = (walk?.moves ?? []).map((move, i) => {
      const button = make("button", { type: "button", class: "move" }, move);
      button.addEventListener("click", () => steps.go(i + 1));
      return button;
    });
    const hadFocus = container.contains(document.activeElement);
    const parts = (walk?.parts ?? []).filter(({ first, last }) => first < last);
    container.replaceChildren(...parts.map((part) => phase(part, buttons)));
    mark();
    // A better answer took the button with the focus away.
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
  };

  steps.addEventListener("walk", list);
  steps.addEventListener("step", mark);
}

/**
 * @param {import("./steps.js").Part} part
 * @param {HTMLButtonElement[]} buttons of all moves
 * @returns {HTMLElement}
 */
function phase({ name, goal, first, last }, buttons) {
  const moves = make("div", { class: "moves" }, ...buttons.slice(first, last));
  if (!name) return moves;
  const title = make("h3", {}, name, " ", make("span", { class: "help" }, `${last - first}`));
  // The goal in words as a line of its own: what a tooltip says, keyboards and fingers miss.
  const about = make("p", { class: "goal help" }, goal);
  return make("div", { class: "phase" }, title, about, moves);
}
