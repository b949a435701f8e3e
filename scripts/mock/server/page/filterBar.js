// @ts-check
import { find } from "./dom.js";
import { isProblem } from "./requestRow.js";

/** @import { RequestEntry } from "../../mockTypes.ts" */

/** The controls that choose requests. Their names are those of the address's parameters. */
/** @type {HTMLInputElement} */
const text = find("#text");
/** @type {HTMLSelectElement} */
const operation = find("#operation");
/** @type {HTMLSelectElement} */
const status = find("#status");
/** @type {HTMLInputElement} */
const problems = find("#problems");

/** What the text of a filter is looked for in. @type {WeakMap<RequestEntry, string>} */
const texts = new WeakMap();

/**
 * Reads the filter from the address, and calls `onChange` whenever a reader changes it.
 *
 * @param {() => void} onChange
 */
export function startFilter(onChange) {
  const given = new URLSearchParams(location.search);
  text.value = given.get("text") ?? "";
  for (const select of [operation, status]) offer(select, [given.get(select.id) ?? ""]);
  for (const select of [operation, status]) select.value = given.get(select.id) ?? "";
  problems.checked = given.has("problems");
  for (const control of [text, operation, status, problems]) control.addEventListener("input", onChange);
  find("#clear").addEventListener("click", () => {
    for (const control of [text, operation, status]) control.value = "";
    problems.checked = false;
    onChange();
    text.focus();
  });
}

/** The filter as parameters of the address. @returns {[string, string][]} */
export function filterParameters() {
  /** @type {[string, string][]} */
  const given = [text, operation, status].map(({ id, value }) => [id, value]);
  if (problems.checked) given.push(["problems", "only"]);
  return given.filter(([, value]) => value !== "");
}

/**
 * The entries that pass the filter. Offers the operations and statuses of all of them.
 *
 * @param {readonly RequestEntry[]} entries
 */
export function filterEntries(entries) {
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
    return words.every((word) => textOf(entry).includes(word) || textOf(entry).includes(escaped(word)));
  });
}

/** @param {string} word As it is within texts in JSON. */
function escaped(word) {
  return JSON.stringify(word).slice(1, -1);
}

/** @param {RequestEntry} entry */
function textOf(entry) {
  const known = texts.get(entry) ?? JSON.stringify(entry).toLowerCase();
  texts.set(entry, known);
  return known;
}

/**
 * Adds options to those of a select, where they aren't yet.
 *
 * @param {HTMLSelectElement} select
 * @param {readonly string[]} values
 */
function offer(select, values) {
  const known = [...select.options].map(({ value }) => value);
  const all = [...new Set([...known, ...values])].sort();
  if (all.length === known.length) return;
  const [first] = select.options;
  const chosen = select.value;
  select.replaceChildren(...all.map((value) => new Option(value === "" ? first?.text : value, value)));
  select.value = chosen;
}
