/* Runs the search dialog. The index is a script, because browsers load nothing else from `file://`. */
import { countOf, splitIdentifier } from "../../values/text.ts";
import { button, element } from "./elements.ts";
import { excerptOf, fitText, pieces } from "./excerpts.ts";
import {
  findPages,
  prepareFinder,
  termOf,
  wholesOf,
  type FoundPage,
  type SearchEntry,
  type SearchIndex,
} from "./findPages.ts";
import { loadScript } from "./loadScript.ts";
import { findSearchDialog, sayNotLoaded } from "./searchDialog.ts";

declare global {
  interface Window {
    docsSearchIndex?: SearchIndex;
  }
}

/** The maximum number of listed results. */
const maximumResults = 30;

/** Shorter queries match nearly every page. */
const minimumLength = 2;

const root = document.documentElement.dataset["root"] ?? "";
const dialog = findSearchDialog();
const input = dialog?.querySelector("input");
const results = dialog?.querySelector("[role=listbox]");
const { currentScript } = document;

void start();

/** Searches as soon as the first part of the index is loaded. Large sites have more parts, which follow one by one. */
async function start(): Promise<void> {
  const { searchIndex = "" } = document.querySelector<HTMLElement>("[data-search-index]")?.dataset ?? {};
  const [first = "", ...missing] = searchIndex.split(" ");
  const index = (await loadScript(first)) ? window.docsSearchIndex : undefined;
  if (!index) {
    sayNotLoaded();
    // Opening the dialog again loads this script again, and the index with it.
    currentScript?.remove();
    return;
  }
  const finder = await prepareFinder(index);
  const { href } = location;
  const generation = index.generations.find((name) => href.startsWith(new URL(`${root}${name}/`, href).href));
  const offers = element("p", { class: "offers" });
  dialog?.querySelector("[role=status]")?.after(offers);
  const update = () => {
    const query = input?.value.trim() ?? "";
    const found = query.length < minimumLength ? [] : findPages(finder, query, generation);
    results?.replaceChildren(...found.slice(0, maximumResults).map(resultOption));
    results?.scrollTo(0, 0);
    const more = missing.length > 0 && query.length >= minimumLength ? ", and more is being loaded" : "";
    dialog?.querySelector("[role=status]")?.replaceChildren(statusText(query, found) + more);
    const isMissed = found.length === 0 && query.length >= minimumLength;
    offers.replaceChildren(...(isMissed ? offersFor(finder.entries) : []));
    input?.setAttribute("aria-expanded", String(found.length > 0));
    select(results?.querySelector("a"));
  };
  input?.addEventListener("input", update);
  input?.addEventListener("keydown", handleKey);
  results?.addEventListener("pointermove", ({ target }) => {
    const option = target instanceof Element ? target.closest("a") : null;
    if (option && option.ariaSelected !== "true") select(option);
  });
  update();
  const released = followPress();
  while (missing[0] !== undefined && (await loadScript(missing[0]))) {
    await finder.add(window.docsSearchIndex?.entries ?? []);
    missing.shift();
    await released();
    // Keep a result selected if the reader moved to it.
    const chosen = results?.querySelector<HTMLAnchorElement>('a + a[aria-selected="true"]')?.href;
    update();
    const same = [...(results?.querySelectorAll("a") ?? [])].find((option) => option.href === chosen);
    if (same) select(same);
  }
}

/** What to do when nothing is found: start over, or browse. */
function offersFor(entries: readonly SearchEntry[]): readonly (Node | string)[] {
  const click = (event: Event) => {
    // A click on another button closes the dialog.
    event.stopPropagation();
    if (input) input.value = "";
    input?.dispatchEvent(new Event("input"));
    input?.focus();
  };
  const places = entries.filter(({ kind, path, within }) => {
    return within === undefined && (kind === "generation" || path === "guides/");
  });
  const links = places.map(({ title, path }) => element("a", { href: root + path }, `Browse ${title}`));
  return [button("Clear the search", { click }), ...links.flatMap((one) => [" ", one])];
}

/**
 * Follows presses on results. Returns a function that waits until none is pressed, because a click is lost if what was
 * pressed is replaced before.
 */
function followPress(): () => Promise<void> {
  let press = Promise.resolve();
  results?.addEventListener("pointerdown", () => {
    press = new Promise((resolve) => {
      for (const end of ["pointerup", "pointercancel"]) {
        // The click follows.
        addEventListener(end, () => setTimeout(resolve), { once: true });
      }
    });
  });
  return () => press;
}

function statusText(query: string, found: readonly FoundPage[]): string {
  if (query.length < minimumLength)
    return "Type a title, a path, an operationId, the name of a field or header, or any other words of these docs.";
  if (found.length === 0) return `No results for “${query}”. Try fewer or other words, or the path of an operation.`;
  const whole = found.filter(({ isPartial }) => !isPartial).length;
  const partial = found.length - whole;
  const counts = [
    whole === 0 ? "No result with all words" : countOf(whole, "result") + (partial === 0 ? "" : " with all words"),
    ...(partial === 0 ? [] : [`${partial} with some of them`]),
    ...(found.length > maximumResults ? [`the first ${maximumResults} are shown`] : []),
  ];
  return counts.join(", ");
}

/** A link with the role that the combobox pattern requires. */
function resultOption(found: FoundPage, position: number): HTMLElement {
  const { kind, title, within, path, generation, group, endpoint = "", names = "", ids = "", terms } = found;
  // A query for a field's name leads to that field.
  const named = names.split("\n").findIndex((name) => wholesOf(name).some((whole) => terms.includes(termOf(whole))));
  const id = ids.split("\n")[named];
  const href = root + path + (id ? `#${id}` : "");
  const kindName = kind.charAt(0).toUpperCase() + kind.slice(1);
  const [method = "", ...rest] = endpoint.split(" ");
  const badge = method && element("span", { class: `method ${method.toLowerCase()}` }, method);
  const parts: Readonly<Record<string, readonly (Node | string)[]>> = {
    "search-title": [...(within ? [element("small", {}, `${within} / `)] : []), ...markTerms(title, terms)],
    "search-place": [[kindName, generation, group, fitText(found)].filter(Boolean).join(" · ")],
    endpoint: badge ? [badge, " ", element("code", {}, ...markTerms(rest.join(" "), terms))] : [],
    "search-text": markTerms(excerptOf(found, `${title} ${endpoint}`), terms),
  };
  // Spaces separate the parts for screen readers.
  const shown = Object.entries(parts).filter(([, content]) => content.length > 0);
  const spans = shown.flatMap(([name, content]) => [element("span", { class: name }, ...content), " "]);
  return element("a", { id: `search-result-${position}`, role: "option", tabindex: "-1", href }, ...spans);
}

/** Marks the words of the query in a text. In an identifier, only the matching parts are marked. */
function markTerms(text: string, terms: readonly string[]): readonly (Node | string)[] {
  const isAsked = (piece: string) => terms.includes(termOf(piece));
  const parts = (text.match(pieces) ?? []).flatMap((word) => (isAsked(word) ? [word] : splitIdentifier(word)));
  return parts.map((part) => (isAsked(part) ? element("mark", {}, part) : part));
}

function handleKey(event: KeyboardEvent): void {
  // While an input method composes characters, these keys choose among them.
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const options = [...(results?.querySelectorAll("a") ?? [])];
  const current = options.findIndex((option) => option.ariaSelected === "true");
  if (event.key === "Enter") options[current]?.click();
  else if (event.key === "ArrowDown") select(options[(current + 1) % options.length]);
  else if (event.key === "ArrowUp") select(options.at(current - 1));
  else return;
  event.preventDefault();
}

function select(option: HTMLAnchorElement | null | undefined): void {
  for (const other of results?.querySelectorAll("a") ?? []) other.ariaSelected = String(other === option);
  option?.scrollIntoView({ block: "nearest" });
  if (option) input?.setAttribute("aria-activedescendant", option.id);
  else input?.removeAttribute("aria-activedescendant");
}
