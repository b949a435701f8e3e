import { find } from "./pageParts.ts";

/** What each row shows. */
const keys = new WeakMap<Element, string>();

/** A row, which is created where none with its key is shown. */
interface Row {
  readonly key: string;
  readonly create: () => HTMLElement;
}

/**
 * Shows the rows of a list. Rows that stay are left alone: one may be open, or have the focus. A row that replaces one with
 * the same name is open if that was. `count` is how many there are, if not all are shown.
 */
export function showRows(id: string, rows: readonly Row[], count = rows.length): void {
  const list = find(`#${id}`);
  const wanted = new Set(rows.map(({ key }) => key));
  const hadFocus = list.contains(document.activeElement);
  const open = new Set<string | undefined>();
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
    const nearest = list.querySelector<HTMLElement>("[open] > summary") ?? list.querySelector("summary");
    nearest?.focus({ preventScroll: true });
  }
  list.hidden = rows.length === 0;
  find(`#${id} ~ .empty`).hidden = count > 0;
  find(`#${id}-title .count`).textContent = count === 0 ? "" : String(count);
}

/** The name of a rule or resource, which stays when it changes. */
export function nameOf(row: Element): string | undefined {
  return row instanceof HTMLElement ? row.dataset["name"] : undefined;
}

/** The keys that move between rows, as in a list box. */
export function moveFocus(event: KeyboardEvent): void {
  if (!(event.target instanceof HTMLElement) || event.target.parentElement?.parentElement?.tagName !== "LI") return;
  const rows = [...find(`#${event.target.closest("ol")?.id}`).children].map((row) => row.querySelector("summary"));
  const index = rows.findIndex((row) => row === event.target);
  const moves = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 };
  const [next] = Object.entries(moves).flatMap(([key, to]) => (key === event.key ? (rows[to] ?? []) : []));
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
