// @ts-check
import { find } from "./dom.js";

/** What each row shows. @type {WeakMap<Element, string>} */
const keys = new WeakMap();

/**
 * Shows the rows of a list. Rows that stay are left alone: one may be open, or have the focus. A row that replaces one with
 * the same name is open if that was.
 *
 * @param {string} id
 * @param {readonly { readonly key: string, readonly create: () => HTMLElement }[]} rows
 * @param {number} [count] How many there are, if not all are shown.
 */
export function showRows(id, rows, count = rows.length) {
  const list = find(`#${id}`);
  const wanted = new Set(rows.map(({ key }) => key));
  const hadFocus = list.contains(document.activeElement);
  /** @type {Set<string | undefined>} */
  const open = new Set();
  for (const row of [...list.children]) {
    if (wanted.has(keys.get(row) ?? "")) continue;
    if (row.querySelector("details")?.open === true) open.add(nameOf(row));
    row.remove();
  }
  for (const [index, { key, create }] of rows.entries()) {
    const next = list.children[index];
    if (next !== undefined && keys.get(next) === key) continue;
    const row = create();
    keys.set(row, key);
    list.insertBefore(row, next ?? null);
    const name = nameOf(row);
    if (name !== undefined && open.has(name)) row.querySelector("details")?.setAttribute("open", "");
  }
  while (list.children.length > rows.length) list.lastElementChild?.remove();
  if (hadFocus && !list.contains(document.activeElement)) {
    /** @type {HTMLElement | null} */
    const nearest = list.querySelector("[open] > summary") ?? list.querySelector("summary");
    nearest?.focus({ preventScroll: true });
  }
  list.hidden = rows.length === 0;
  find(`#${id} ~ .empty`).hidden = count > 0;
  find(`#${id}-title .count`).textContent = count === 0 ? "" : String(count);
}

/**
 * The name of a rule or resource, which stays when it changes.
 *
 * @param {Element | undefined} row
 */
export function nameOf(row) {
  return row instanceof HTMLElement ? row.dataset["name"] : undefined;
}

/**
 * The keys that move between rows, as in a list box.
 *
 * @param {KeyboardEvent} event
 */
export function moveFocus(event) {
  if (!(event.target instanceof HTMLElement) || event.target.parentElement?.parentElement?.tagName !== "LI") return;
  const rows = [...find(`#${event.target.closest("ol")?.id}`).children].map((row) => row.querySelector("summary"));
  const index = rows.findIndex((row) => row === event.target);
  const moves = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 };
  const [next] = Object.entries(moves).flatMap(([key, to]) => (key === event.key ? (rows[to] ?? []) : []));
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
