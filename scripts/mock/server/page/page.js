// @ts-check
/*
 * Shows one session, from the mock's endpoints. It asks for the sessions every second, and for the rest if the chosen
 * one was used since, but only for the requests that it doesn't have yet. Everything is shown as text rather than markup, since requests may contain anything.
 */

/** @import { FaultRule, MockState, RequestEntry } from "../../mockTypes.ts" */
/**
 * The responses of the mock's endpoints.
 *
 * @typedef {{
 *   health: { readonly generations: readonly { readonly title: string }[] },
 *   sessions: readonly { readonly name: string, readonly requests: number, readonly resources: number }[],
 *   requests: readonly RequestEntry[],
 *   overrides: readonly Rule[],
 *   faults: readonly Rule[],
 *   state: Pick<MockState, "resources">,
 * }} Sent
 */
/** @typedef {Readonly<Record<string, unknown>>} Members */
/** A rule of any kind. A response that is a function is absent. @typedef {Pick<FaultRule, "generation" | "id" | "operation" | "times"> & Members & { readonly used: number, readonly when?: Members, readonly respond?: Members }} Rule */

const interval = 1_000;
/** With more resources, polling takes the mock and the browser too long. */
const mostResources = 500;

/** @type {HTMLSelectElement} */
const select = find("#session");
let chosen = new URLSearchParams(location.search).get("session") ?? "";
let isPaused = false;
/** The session as last shown. */
let shown = "";
/** The entries of the chosen session, the latest last. @type {readonly RequestEntry[]} */
let known = [];
let refreshNow = () => {};
/** What each row shows, as JSON. @type {WeakMap<Element, string>} */
const keys = new WeakMap();

find("#url").textContent = `${location.origin}/`;
document.title = `Mock at ${location.host}`;
select.addEventListener("change", () => {
  chosen = select.value;
  known = [];
  history.replaceState(null, "", chosen === "" ? location.pathname : `?session=${encodeURIComponent(chosen)}`);
  askAgain();
});
find("#pause").addEventListener("click", ({ currentTarget }) => {
  isPaused = !isPaused;
  if (currentTarget instanceof Element) currentTarget.textContent = isPaused ? "Resume" : "Pause";
  refreshNow();
});
find("#reset").addEventListener("click", () => {
  void control("reset", "POST").then(askAgain, sayTrouble);
});
document.addEventListener("visibilitychange", () => {
  refreshNow();
});

void refreshForever();

async function refreshForever() {
  for (;;) {
    if (shown === "" || (!isPaused && document.visibilityState === "visible")) {
      await refresh().then(sayNothing, sayTrouble);
    }
    await new Promise((resolve) => {
      refreshNow = () => {
        resolve(undefined);
      };
      setTimeout(resolve, interval);
    });
  }
}

/** Refreshes the page even if it is paused. */
function askAgain() {
  shown = "";
  refreshNow();
}

async function refresh() {
  const session = chosen;
  if (find("#served").textContent === "") {
    const { generations } = await read("health");
    find("#served").textContent = generations.map(({ title }) => title).join(", ");
  }
  const sessions = await read("sessions");
  showSessions(sessions.map(({ name }) => name));
  const description = sessions.find(({ name }) => name === session);
  const current = JSON.stringify([session, description]);
  if (current === shown) return;
  const isTooMuch = (description?.resources ?? 0) > mostResources;
  const latest = known.at(-1)?.id;
  const [added, overrides, faults, { resources }] = await Promise.all([
    read("requests", latest === undefined ? "" : `?after=${latest}`),
    read("overrides"),
    read("faults"),
    isTooMuch ? { resources: {} } : read("state"),
  ]);
  if (session !== chosen) return;
  const count = description?.requests ?? 0;
  // Entries may have been added since the sessions were read. The next refresh tells.
  known = lastOf([...known, ...added], count + added.length);
  showList("requests", lastOf(known, Math.max(count, added.length)).toReversed(), requestRow);
  showList(
    "rules",
    [
      ...overrides.map((rule, index) => ({ kind: `override /${index}`, rule })),
      ...faults.map((rule, index) => ({ kind: `fault /${index}`, rule })),
    ],
    ruleRow,
  );
  const written = Object.entries(resources).flatMap(([type, ofType]) =>
    ofType.map((resource) => ({ type, ...resource })),
  );
  showList("resources", written, resourceRow, description?.resources);
  find("#too-many").hidden = !isTooMuch;
  shown = current;
}

/**
 * @template {keyof Sent} Path
 * @param {Path} path
 * @returns {Promise<Sent[Path]>}
 */
async function read(path, query = "") {
  const response = await control(path + query);
  // oxlint-disable-next-line typescript/no-unsafe-return -- This page and what it reads come from the same mock.
  return response.json();
}

/**
 * @param {readonly RequestEntry[]} entries
 * @param {number} count
 */
function lastOf(entries, count) {
  return entries.slice(Math.max(0, entries.length - count));
}

/** @param {string} path */
async function control(path, method = "GET") {
  const response = await fetch(path, { method, headers: { "x-mock-session": chosen }, cache: "no-store" });
  if (response.ok) return response;
  throw new Error(`${method} ${new URL(response.url).pathname} has the status ${response.status}`);
}

function sayNothing() {
  find("#trouble").textContent = "";
}

/** @param {unknown} error */
function sayTrouble(error) {
  const reason = error instanceof Error ? error.message : String(error);
  find("#trouble").textContent = `Nothing new from the mock: ${reason}. This page retries every second.`;
}

/** @param {readonly string[]} names */
function showSessions(names) {
  const wanted = [...new Set(["", chosen, ...names])].sort();
  if (JSON.stringify(wanted) === JSON.stringify([...select.options].map(({ value }) => value))) return;
  select.replaceChildren(...wanted.map((name) => new Option(name === "" ? "(none)" : name, name)));
  select.value = chosen;
}

/**
 * Shows items as rows of a list. Rows of items that stay are left alone: one may be open, or have the focus.
 *
 * @template Item
 * @param {string} id
 * @param {readonly Item[]} items
 * @param {(item: Item) => HTMLElement} createRow
 */
function showList(id, items, createRow, count = items.length) {
  const list = find(`#${id}`);
  const wanted = items.map((item) => JSON.stringify(item));
  for (const row of [...list.children]) {
    if (!wanted.includes(keys.get(row) ?? "")) row.remove();
  }
  for (const [index, item] of items.entries()) {
    const key = wanted[index] ?? "";
    const next = list.children[index];
    if (next !== undefined && keys.get(next) === key) continue;
    const row = createRow(item);
    keys.set(row, key);
    list.insertBefore(row, next ?? null);
  }
  while (list.children.length > items.length) list.lastElementChild?.remove();
  list.hidden = items.length === 0;
  find(`#${id} ~ .empty`).hidden = count > 0;
  find(`#${id}-title .count`).textContent = count === 0 ? "" : String(count);
}

/** @param {RequestEntry} entry */
function requestRow(entry) {
  const { time, method, target, status, milliseconds, operation, generation, reason, note, exception } = entry;
  const { path = {}, query = {}, headers = {}, body, responseBody } = entry;
  const shownMethod = element("span", "method", method);
  shownMethod.dataset["method"] = method;
  const shownStatus = element("span", "status", String(status));
  shownStatus.dataset["class"] = `${status}`.slice(0, 1);
  const hasSent = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  const withoutBody = hasSent ? "not kept: it violates the contract, or wasn’t read" : undefined;
  return expandable(
    "request",
    [
      shownMethod,
      element("code", "target", target),
      shownStatus,
      element("span", "remark", [reason, note].filter((text) => text !== undefined).join(" ") || operation || ""),
      element("time", "time", new Date(time).toTimeString().slice(0, 8)),
    ],
    () => [
      ...members("", {
        Reason: reason,
        Note: note,
        Operation: operation && `${operation} of ${generation ?? ""}`,
        Received: time,
        Took: `${milliseconds.toFixed(1)} ms`,
        Body: body === undefined ? withoutBody : undefined,
      }),
      ...members("Path parameters", path),
      ...members("Query parameters", query),
      ...members("Headers", headers),
      ...(body === undefined ? [] : code("Body", asText(body))),
      ...(responseBody === undefined ? [] : code("Response body", asText(responseBody))),
      ...(exception === undefined ? [] : code("Exception in the mock", exception)),
    ],
  );
}

/** @param {unknown} body */
function asText(body) {
  return typeof body === "string" ? body : JSON.stringify(body, null, 2);
}

/** @param {{ readonly kind: string, readonly rule: Rule }} item */
function ruleRow({ kind, rule }) {
  const { id: _, operation = "every operation", generation, times, used, when, respond, ...effects } = rule;
  const effect = preview(respond ?? effects) || "a function of the program";
  return expandable(
    "rule",
    [
      element("span", "kind", kind),
      element("code", "name", generation === undefined ? operation : `${operation} of ${generation}`),
      element("span", "remark", when === undefined ? effect : `${effect}, if ${preview(when)}`),
      element("span", "chip", times === undefined ? `${used} used` : `${used} used, ${times} left`),
    ],
    () => code("", JSON.stringify(rule, null, 2)),
  );
}

/** @param {Members} resource */
function resourceRow({ type, scope, properties, absent, isDeleted }) {
  const known = Object.assign({}, scope, properties);
  return expandable(
    "resource",
    [
      element("span", "kind", String(type)),
      element("span", "remark", preview(known)),
      element("span", "chip", isDeleted === true ? "deleted" : ""),
    ],
    () => [
      ...members("", known),
      ...members("", Array.isArray(absent) && absent.length > 0 ? { absent: absent.join(", ") } : {}),
    ],
  );
}

/**
 * A row that opens to its details, which are created when they are first shown.
 *
 * @param {string} kind
 * @param {readonly HTMLElement[]} summary
 * @param {() => readonly HTMLElement[]} describe
 */
function expandable(kind, summary, describe) {
  const details = element("details", kind, element("summary", "", ...summary.filter(({ textContent }) => textContent)));
  const fill = () => {
    details.append(element("div", "about", ...describe()));
  };
  details.addEventListener("toggle", fill, { once: true });
  return element("li", "", details);
}

/**
 * @param {string} title
 * @param {Members} values
 */
function members(title, values) {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  if (present.length === 0) return [];
  const list = element("dl", "");
  for (const [name, value] of present) {
    list.append(element("dt", "", name), element("dd", "", typeof value === "string" ? value : JSON.stringify(value)));
  }
  return title === "" ? [list] : [element("h3", "", title), list];
}

/**
 * @param {string} title
 * @param {string} text
 */
function code(title, text) {
  const block = element("pre", "", text);
  block.tabIndex = 0;
  return title === "" ? [block] : [element("h3", "", title), block];
}

/**
 * The beginning of some values, in a line.
 *
 * @param {Members} values
 */
function preview(values) {
  const texts = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return texts.join(", ").slice(0, 300);
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {readonly (Node | string)[]} children
 */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

/**
 * @template {HTMLElement} [Type=HTMLElement]
 * @param {string} selector
 * @returns {Type}
 */
function find(selector) {
  /** @type {Type | null} */
  const found = document.querySelector(selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found;
}
