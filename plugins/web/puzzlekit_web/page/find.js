// Elements of the page by their ids.

/**
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind what the element has to be
 * @returns {T}
 */
export function find(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} ${id}`);
}
