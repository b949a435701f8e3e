/*
 * Shows one session of the mock or all of them, from the mock's endpoints. It asks for the sessions every second, and for
 * the rest if one of those that it shows was used since, but only for the requests that it doesn't have yet.
 */
import { messageOf } from "../../../contract/failures.ts";
import type { MockState, SessionEntry } from "../../../mock/mockTypes.ts";
import { stringOf, valueAt } from "../../../values/json.ts";
import { countOf } from "../../../values/text.ts";
import { chooseTheme, switchTheme } from "../marks.ts";
import { openEditor } from "./editor.ts";
import { filterEntries, filterParameters, startFilter } from "./filterBar.ts";
import { find, findKind } from "./pageParts.ts";
import type { RequestEntry } from "./requestFacts.ts";
import { requestRow } from "./requestRow.ts";
import { moveFocus, nameOf, showRows } from "./rows.ts";
import { resourceRow, ruleRow, type Rule } from "./ruleRows.ts";

/** The responses of the mock's endpoints. */
interface Sent {
  readonly health: { readonly generations: readonly { readonly title: string }[] };
  readonly surroundings: { readonly hasDocs: boolean; readonly hasUpstream: boolean };
  readonly sessions: readonly SessionEntry[];
  readonly requests: readonly RequestEntry[];
  readonly overrides: readonly Rule[];
  readonly faults: readonly Rule[];
  readonly state: Pick<MockState, "resources">;
}

const interval = 1_000;
/** With more resources, polling takes the mock and the browser too long. */
const maxResources = 500;
/** The most entries that are shown, and that the mock keeps of a session. */
const maxEntries = 200;
/** Sessions that were last used before aren't called active as the page opens, in milliseconds. */
const recently = 60_000;
/** No session has a name with a line break, since names are values of a header. */
const allSessions = "\n";

const select = findKind(HTMLSelectElement, "#session");
const address = new URLSearchParams(location.search);
let chosen = address.get("sessions") === "all" ? allSessions : (address.get("session") ?? "");
let isPaused = false;
/** The sessions as last shown. */
let shown = "";
/** When the sessions were last used as the reader chose one. */
let seen: ReadonlyMap<string, string> | undefined;
let sessions: Sent["sessions"] = [];
/** The entries of the chosen session, the latest last. */
let known: readonly RequestEntry[] = [];
let ruleCount = 0;
/** The rule to open once it is shown. A link can name it. */
let wantedRule = address.get("rule") ?? undefined;
let refreshNow = () => {};
let surroundings = { hasDocs: false, hasUpstream: false };

start();
void refreshForever();

function start(): void {
  find("#url").textContent = `${location.origin}/`;
  document.title = `Mock at ${location.host}`;
  chooseTheme();
  find("#theme").addEventListener("click", switchTheme);
  startFilter(() => {
    writeAddress();
    showRequests();
  });
  select.addEventListener("change", () => {
    choose(select.value);
  });
  find("#pause").addEventListener("click", () => {
    isPaused = !isPaused;
    find("#pause").textContent = isPaused ? "Resume" : "Pause";
    refreshNow();
  });
  find("#reset").addEventListener("click", askToReset);
  find("#filter").addEventListener("submit", (event) => {
    event.preventDefault();
  });
  for (const list of ["#requests", "#rules", "#resources"]) find(list).addEventListener("keydown", moveFocus);
  document.addEventListener("visibilitychange", () => {
    refreshNow();
  });
}

function choose(session: string): void {
  chosen = session;
  known = [];
  seen = new Map(sessions.map(({ name, lastUsed }) => [name, lastUsed]));
  for (const list of ["requests", "rules", "resources"]) find(`#${list}`).replaceChildren();
  writeAddress();
  askAgain();
}

function writeAddress(): void {
  const session = chosen === allSessions ? { sessions: "all" } : chosen === "" ? {} : { session: chosen };
  const query = new URLSearchParams({ ...session, ...filterParameters() }).toString();
  history.replaceState(null, "", query === "" ? location.pathname : `?${query}`);
}

async function refreshForever(): Promise<void> {
  for (;;) {
    if (shown === "" || (!isPaused && document.visibilityState === "visible")) {
      await refresh().then(sayNothing, (error: unknown) => {
        // The mock may start again with other options.
        find("#served").textContent = "";
        sayTrouble(error);
      });
    }
    await new Promise<void>((resolve) => {
      refreshNow = resolve;
      setTimeout(resolve, interval);
    });
  }
}

/** Refreshes the page even if it is paused. */
function askAgain(): void {
  shown = "";
  refreshNow();
}

async function refresh(): Promise<void> {
  const session = chosen;
  if (find("#served").textContent === "") {
    surroundings = await read("surroundings");
    if (surroundings.hasDocs) leadToDocs();
    const { generations } = await read("health");
    find("#served").textContent = generations.map(({ title }) => title).join(", ");
  }
  sessions = await read("sessions");
  showSessions();
  const current = JSON.stringify([session, ownSessions(session)]);
  if (current === shown) return;
  const latest = known.at(-1)?.id;
  const query = new URLSearchParams({
    ...(latest !== undefined && { after: String(latest) }),
    ...(session === allSessions && { sessions: "all" }),
  });
  const [added] = await Promise.all([read("requests", `?${query}`), refreshSide(session)]);
  if (session !== chosen) return;
  known = keptOf([...known, ...added], new Set(added));
  showRequests();
  openWantedRule();
  shown = current;
}

/** Lets the mark lead to the docs. Without docs on the same server, it leads nowhere. */
function leadToDocs(): void {
  const home = find("#home");
  home.setAttribute("href", "/");
  home.setAttribute("aria-label", "Docs");
}

/** The sessions whose requests are shown. */
function ownSessions(session: string): Sent["sessions"] {
  return session === allSessions ? sessions : sessions.filter(({ name }) => name === session);
}

/**
 * The entries that the mock still has. It forgets the earliest of a session first. Some may have been added since the
 * sessions were read.
 */
function keptOf(entries: readonly RequestEntry[], added: ReadonlySet<RequestEntry>): readonly RequestEntry[] {
  const left = new Map(sessions.map(({ name, requests }) => [name, requests]));
  const kept = entries.toReversed().filter((entry) => {
    const { session = "" } = entry;
    const count = (left.get(session) ?? 0) - 1;
    left.set(session, count);
    return count >= 0 || added.has(entry);
  });
  return kept.slice(0, maxEntries).toReversed();
}

/** Shows the rules and resources, which belong to one session. */
async function refreshSide(session: string): Promise<void> {
  const isForAll = session === allSessions;
  find("#choose-session").hidden = !isForAll;
  find("#with-session").hidden = isForAll || session === "";
  find("#with-session code").textContent = `x-mock-session: ${session}`;
  for (const section of document.querySelectorAll("#side section")) section.toggleAttribute("hidden", isForAll);
  if (isForAll) return;
  const [description] = ownSessions(session);
  const isTooMuch = (description?.resources ?? 0) > maxResources;
  const [overrides, faults, { resources }] = await Promise.all([
    read("overrides", "?usedUp=true"),
    read("faults", "?usedUp=true"),
    isTooMuch ? { resources: {} } : read("state"),
  ]);
  if (session !== chosen) return;
  const rules = [
    ...overrides.map((rule) => ({ kind: "override", rule }) as const),
    ...faults.map((rule) => ({ kind: "fault", rule }) as const),
  ];
  // Those that still apply come first.
  rules.sort((a, b) => Number(a.rule.times === 0) - Number(b.rule.times === 0));
  ruleCount = rules.filter(({ rule }) => rule.times !== 0).length;
  showRows(
    "rules",
    rules.map((item) => ({ key: JSON.stringify(item), create: () => ruleRow(item.kind, item.rule, removeRule) })),
  );
  find("#rules-title .count").textContent = String(ruleCount || "");
  const written = Object.entries(resources).flatMap(([type, ofType]) =>
    ofType.map((resource, index) => ({ type, index, ...resource })),
  );
  const rows = written.map((resource) => ({ key: JSON.stringify(resource), create: () => resourceRow(resource) }));
  showRows("resources", rows, description?.resources);
  find("#too-many").hidden = !isTooMuch;
}

function showRequests(): void {
  const passed = filterEntries(known);
  const isForAll = chosen === allSessions;
  const around = { ...surroundings, isForAll, showRule, edit: openEditor, addOverride };
  const rows = passed.toReversed().map((entry) => ({ key: String(entry.id), create: () => requestRow(entry, around) }));
  showRows("requests", rows, known.length);
  find("#no-match").hidden = known.length === 0 || passed.length > 0;
  const all = known.length < maxEntries ? known.length : `the last ${maxEntries}`;
  if (passed.length < known.length) find("#requests-title .count").textContent = `${passed.length} of ${all}`;
  else if (known.length >= maxEntries) find("#requests-title .count").textContent = String(all);
  find("#reset").hidden = isForAll;
}

function showRule(kind: string, id: string): boolean {
  wantedRule = `${kind} ${id}`;
  return openWantedRule();
}

/** Returns whether the rule is there. */
function openWantedRule(): boolean {
  const rows = [...find("#rules").children];
  // A later rule may have the name of one that is used up. It comes first.
  const row = rows.find((one) => nameOf(one) === wantedRule);
  wantedRule = undefined;
  const details = row?.querySelector("details");
  if (details == null) return false;
  details.open = true;
  details.querySelector("summary")?.focus();
  details.scrollIntoView({ block: "nearest" });
  return true;
}

function removeRule(path: string): void {
  void control(path, { method: "DELETE" }).then(askAgain, sayTrouble);
}

async function addOverride(rule: string, session: string): Promise<void> {
  const rules = await read("overrides", "", { method: "POST", body: rule }, session);
  wantedRule = `override ${rules.at(-1)?.id ?? ""}`;
  if (session === chosen) askAgain();
  else choose(session);
}

function askToReset(): void {
  const [{ requests, resources } = { requests: 0, resources: 0 }] = ownSessions(chosen);
  const dialog = findKind(HTMLDialogElement, "#reset-dialog");
  find("#reset-title").textContent =
    chosen === "" ? "Reset the session without a name?" : `Reset the session ${chosen}?`;
  const loss = `${countOf(requests, "request")}, ${countOf(ruleCount, "rule")} and ${countOf(resources, "resource")}`;
  find("#loss").textContent = `It loses ${loss}. You can't undo this.`;
  dialog.returnValue = "";
  dialog.onclose = () => {
    if (dialog.returnValue !== "reset") return;
    known = [];
    void control("reset", { method: "POST" }).then(askAgain, sayTrouble);
  };
  dialog.showModal();
}

async function read<Path extends keyof Sent>(
  path: Path,
  query = "",
  init?: RequestInit,
  session?: string,
): Promise<Sent[Path]> {
  const response = await control(path + query, init, session);
  // oxlint-disable-next-line typescript/no-unsafe-return -- This page and what it reads come from the same mock.
  return response.json();
}

/** Sends a request to an endpoint of the mock. Throws what the mock says about a rejected one. */
async function control(path: string, init: RequestInit = {}, session = chosen): Promise<Response> {
  const headers = session === allSessions || session === "" ? {} : { "x-mock-session": session };
  const response = await fetch(path, { ...init, headers, cache: "no-store" });
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => undefined);
  throw new Error(stringOf(valueAt(problem, ["detail"])) ?? `${path} has the status ${response.status}`);
}

function sayNothing(): void {
  find("#trouble").textContent = "";
}

function sayTrouble(error: unknown): void {
  find("#trouble").textContent = `Nothing new from the mock: ${messageOf(error)}. This page retries every second.`;
}

function showSessions(): void {
  const names = [...new Set(["", ...(chosen === allSessions ? [] : [chosen]), ...sessions.map(({ name }) => name)])];
  const wanted = [allSessions, ...names.sort()];
  if (JSON.stringify(wanted) !== JSON.stringify([...select.options].map(({ value }) => value))) {
    const labels = new Map([
      ["", "(none)"],
      [allSessions, "All sessions"],
    ]);
    select.replaceChildren(...wanted.map((name) => new Option(labels.get(name) ?? name, name)));
  }
  select.value = chosen;
  const isForAll = chosen === allSessions;
  const others = sessions.filter(({ name, requests }) => !isForAll && name !== chosen && requests > 0);
  const start = Date.now() - recently;
  seen ??= new Map(sessions.flatMap(({ name, lastUsed }) => (Date.parse(lastUsed) < start ? [[name, lastUsed]] : [])));
  const isActive = others.some(({ name, lastUsed }) => seen?.get(name) !== lastUsed);
  const text = `${countOf(others.length, "other session")}${isActive ? ", active" : ""}`;
  find("#others").textContent = others.length === 0 ? "" : text;
  find("#others").classList.toggle("active", isActive);
}
