import { getOrCreate } from "../../../values/collections.ts";
import { find, findKind } from "./pageParts.ts";
import { isProblem, type RequestEntry } from "./requestFacts.ts";

/** The controls that choose requests. Their names are those of the address's parameters. */
const text = findKind(HTMLInputElement, "#text");
const operation = findKind(HTMLSelectElement, "#operation");
const status = findKind(HTMLSelectElement, "#status");
const problems = findKind(HTMLInputElement, "#problems");
const withText = [text, operation, status];

/** What the text of a filter is looked for in. */
const texts = new WeakMap<RequestEntry, string>();

/** Reads the filter from the address, and calls `onChange` whenever a reader changes it. */
export function startFilter(onChange: () => void): void {
  const given = new URLSearchParams(location.search);
  text.value = given.get("text") ?? "";
  for (const select of [operation, status]) {
    const chosen = given.get(select.id) ?? "";
    offer(select, [chosen]);
    select.value = chosen;
  }
  problems.checked = given.has("problems");
  for (const control of [...withText, problems]) control.addEventListener("input", onChange);
  find("#clear").addEventListener("click", () => {
    for (const control of withText) control.value = "";
    problems.checked = false;
    onChange();
    text.focus();
  });
}

/** The filter as parameters of the address. */
export function filterParameters(): Readonly<Record<string, string>> {
  const chosen = Object.fromEntries(withText.map(({ id, value }) => [id, value]));
  const given = Object.entries({ ...chosen, problems: problems.checked ? "only" : "" });
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}

/** The entries that pass the filter. Offers the operations and statuses of all of them. */
export function filterEntries(entries: readonly RequestEntry[]): readonly RequestEntry[] {
  offer(
    operation,
    entries.map((entry) => entry.operation ?? ""),
  );
  offer(
    status,
    entries.map((entry) => String(entry.status)),
  );
  find("#problems ~ .count").textContent = String(entries.filter(isProblem).length || "");
  const words = text.value.toLowerCase().split(" ");
  return entries.filter((entry) => {
    if (operation.value !== "" && operation.value !== entry.operation) return false;
    if (status.value !== "" && status.value !== String(entry.status)) return false;
    if (problems.checked && !isProblem(entry)) return false;
    const all = getOrCreate(texts, entry, () => JSON.stringify(entry).toLowerCase());
    return words.every((word) => all.includes(word) || all.includes(escaped(word)));
  });
}

/** A word as it is within texts in JSON. */
function escaped(word: string): string {
  return JSON.stringify(word).slice(1, -1);
}

/** Adds options to those of a select, where they aren't yet. */
function offer(select: HTMLSelectElement, values: readonly string[]): void {
  const known = [...select.options].map(({ value }) => value);
  const all = [...new Set([...known, ...values])].sort();
  if (all.length === known.length) return;
  const [first] = select.options;
  const chosen = select.value;
  select.replaceChildren(...all.map((value) => new Option(value === "" ? first?.text : value, value)));
  select.value = chosen;
}
