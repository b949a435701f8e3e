/* The mock in the page. It loads on first use, and all pages of the tab share its state. */
import { countOf } from "../../values/text.ts";
import type { MockEngine } from "../../mock/engine/mockEngine.ts";
import { elementsOf, isObject, membersOf, parseJson } from "../../values/json.ts";
import type { PageMock } from "../model/tryItData.ts";
import { loadScript } from "./loadScript.ts";
import type { DocsMock } from "./mockInPage.ts";
import { addressBeside, sitePath } from "./scriptAddress.ts";
import { keepInTab, readInTab } from "./tabStorage.ts";

/** The faults to inject into a response. */
export type AskedFault = Parameters<MockEngine["faults"]["set"]>[0][number];

/** The maximum size of a body, in bytes. */
const bodyLimit = 65_536;

const key = `docs.mock ${sitePath}`;

let loading: Promise<DocsMock> | undefined;
/** The state, for the engine and for the tab's storage. Empty if nothing has changed. */
let known = "";
let kept = "";
let notice = "";

/** Responds to a request, as `fetch` does. Rejects with an error that explains why there is no response. */
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

/** Preloads the mock if the tab has a state. Its scripts are cached then, and the first response comes sooner. */
export function loadAhead(scripts: PageMock): void {
  if (readInTab(key) !== "") void load(scripts).catch(() => undefined);
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
  if (loaded.includes(false)) throw new Error("The mock couldn't be loaded. Send the request again to retry.");
  return window.createDocsMock({ bodyLimit });
}

/** Reads the changes that were made on other pages. */
async function continueState(mock: DocsMock): Promise<void> {
  notice = "";
  const text = readInTab(key);
  if (text === kept) return;
  await mock.loadTypes(parseJson(text));
  mock.reset();
  [known, kept] = [text, text];
  const [violation] = text === "" ? [] : mock.readState({ "": parseJson(text) });
  if (violation === undefined) return;
  forget();
  notice = `The changes of this tab were discarded, because they don't fit the contract: ${violation.message}.`;
}

function keepState(mock: DocsMock): void {
  const state = mock.state();
  const isChanged = [state.resources, state.counters].some((members) => Object.keys(members).length > 0);
  known = isChanged ? JSON.stringify(state) : "";
  const isKept = keepInTab(key, known);
  kept = readInTab(key);
  if (isChanged && !isKept)
    notice =
      "The last changes last only until you leave this page, because the browser's storage for this tab is full.";
}

function forget(): void {
  keepInTab(key, "");
  known = kept = "";
}

/** Resets the mock to its seed. */
export async function resetPageMock(): Promise<void> {
  notice = "";
  forget();
  (await loading?.catch(() => undefined))?.reset();
}

/** Describes the mock's state: a summary, a note that readers should know about, and the whole state as JSON. */
export function readMemory() {
  const current = readInTab(key);
  // Other pages may have changed it.
  const text = current === kept ? known : current;
  const state = parseJson(text);
  const resources = membersOf(isObject(state) && state["resources"]);
  const counts = resources.map(([type, items]) => ({ type, count: elementsOf(items).length }));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const types = counts.map(({ type, count }) => `${type} (${count})`).join(", ");
  const changed = `In this tab: ${countOf(total, "resource")} changed, ${types}.`;
  return { summary: total === 0 ? "In this tab, no resource has changed." : changed, notice, state };
}
