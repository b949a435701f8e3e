/* The mock in the page: it is loaded when it's first asked, and what it remembers is kept for all pages of the tab. */
import { attempt } from "../../contract/failures.ts";
import { countOf } from "../../contract/text.ts";
import type { MockEngine } from "../../mock/engine/mockEngine.ts";
import { elementsOf, isObject, membersOf, parseJson } from "../../spec/json.ts";
import type { PageMock } from "../model/tryItData.ts";
import { loadScript } from "./loadScript.ts";
import type { DocsMock } from "./mockInPage.ts";
import { addressBeside } from "./scriptAddress.ts";

/** What else is to happen to a response. */
export type AskedFault = Parameters<MockEngine["faults"]["set"]>[0][number];

/** Larger bodies are refused, in bytes. */
const bodyLimit = 65_536;

const storage = attempt(() => sessionStorage);
// Another site of the same host has its own.
const key = `docs.mock ${new URL(addressBeside("..")).pathname}`;

let loading: Promise<DocsMock> | undefined;
/** The state as the engine has it, and as the tab keeps it: empty if nothing has changed. */
let known = "";
let kept = "";
let notice = "";

/** Answers a request, as `fetch` does. Rejects with an error that says in words why there is no response. */
export async function answerInPage(
  scripts: PageMock,
  request: Request,
  faults: readonly AskedFault[],
): Promise<Response> {
  const mock = await load(scripts);
  request.signal.throwIfAborted();
  await continueState(mock);
  request.signal.throwIfAborted();
  mock.faults.set(faults);
  try {
    return await mock.fetch(request);
  } finally {
    keepState(mock);
  }
}

/** Loads the mock ahead if the tab remembers something: then it comes from the cache, and the first answer on a page sooner. */
export function loadAhead(scripts: PageMock): void {
  if (readKept() !== "") void load(scripts).catch(() => undefined);
}

async function load(scripts: PageMock): Promise<DocsMock> {
  loading ??= loadMock(scripts);
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

async function loadMock({ engine, documents }: PageMock): Promise<DocsMock> {
  const loaded = await Promise.all([...documents, engine].map((name) => loadScript(addressBeside(name))));
  if (loaded.includes(false)) throw new Error("The mock could not be loaded. Send again to try once more.");
  return window.createDocsMock({ bodyLimit });
}

/** Takes over what other pages have changed. */
async function continueState(mock: DocsMock): Promise<void> {
  notice = "";
  const text = readKept();
  if (text === kept) return;
  await mock.loadTypes(parseJson(text));
  mock.reset();
  [known, kept] = [text, text];
  const [violation] = text === "" ? [] : mock.readState({ "": parseJson(text) });
  if (violation === undefined) return;
  forget();
  notice = `What this tab remembered was dropped, since it doesn't fit the contract: ${violation.message}.`;
}

function keepState(mock: DocsMock): void {
  const state = mock.state();
  const isChanged = [state.resources, state.counters].some((members) => Object.keys(members).length > 0);
  known = isChanged ? JSON.stringify(state) : "";
  const isKept = attempt(() => {
    if (isChanged) storage?.setItem(key, known);
    else storage?.removeItem(key);
    return storage !== undefined;
  });
  kept = readKept();
  if (isChanged && isKept !== true)
    notice = "The last changes are remembered on this page only: the browser keeps no more for this tab.";
}

function readKept(): string {
  return storage?.getItem(key) ?? "";
}

function forget(): void {
  storage?.removeItem(key);
  known = kept = "";
}

/** Gives the mock the resources back that it started with. */
export async function resetPageMock(): Promise<void> {
  notice = "";
  forget();
  (await loading?.catch(() => undefined))?.reset();
}

/** What the mock remembers: how much that is, in words, with what a reader should know of it; and all of it, as JSON. */
export function readMemory() {
  const current = readKept();
  // Other pages may have changed it since.
  const text = current === kept ? known : current;
  const state = parseJson(text);
  const resources = membersOf(isObject(state) && state["resources"]);
  const counts = resources.map(([type, items]) => ({ type, count: elementsOf(items).length }));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const types = counts.map(({ type, count }) => `${type} (${count})`).join(", ");
  const changed = `In this tab: ${countOf(total, "resource")} changed, ${types}.`;
  return { summary: total === 0 ? "In this tab: no resource changed." : changed, notice, state };
}
