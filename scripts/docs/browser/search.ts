/*
 * Makes the search's dialog answer. It is loaded when the dialog is opened for the first time, and loads the index: that
 * is a script too, because browsers load nothing else from `file://`.
 */
import {
  findPages,
  prepareFinder,
  type PageFinder,
  type SearchEntry,
  type SearchIndex,
  type SearchKind,
} from "./findPages.ts";
import { countOf } from "../../contract/text.ts";
import { findSearchDialog, sayNotLoaded, type SearchDialog } from "./searchDialog.ts";

declare global {
  interface Window {
    docsSearchIndex?: SearchIndex;
  }
}

/** So many pages are listed: whoever does not find theirs among them adds a word. */
const maximumResults = 30;

/** With fewer characters, a query asks for nearly every page. */
const minimumLength = 2;

const kindNames: Readonly<Record<SearchKind, string>> = {
  generation: "Generation",
  group: "Group",
  guide: "Guide",
  operation: "Operation",
  page: "Page",
  schema: "Schema",
  webhook: "Webhook",
};

const root = document.documentElement.dataset["root"] ?? "";
const parts = findSearchDialog();
const address = document.querySelector<HTMLScriptElement>("script[data-search-index]")?.dataset["searchIndex"];
if (parts && address !== undefined) loadIndex(parts, address);

function loadIndex(parts: SearchDialog, address: string): void {
  const script = document.createElement("script");
  script.src = address;
  script.addEventListener("load", () => {
    if (window.docsSearchIndex) void start(parts, window.docsSearchIndex);
  });
  script.addEventListener("error", () => {
    sayNotLoaded();
    script.remove();
    parts.dialog.addEventListener(
      "close",
      () => {
        loadIndex(parts, address);
      },
      { once: true },
    );
  });
  document.head.append(script);
}

async function start(parts: SearchDialog, index: SearchIndex): Promise<void> {
  const finder = await prepareFinder(index);
  const { input, results } = parts;
  const update = () => {
    showResults(parts, finder);
  };
  input.addEventListener("input", update);
  input.addEventListener("keydown", (event) => {
    handleKey(event, parts);
  });
  results.addEventListener("pointermove", ({ target }) => {
    const option = target instanceof Element ? target.closest("a") : null;
    if (option && option.ariaSelected !== "true") select(parts, option);
  });
  update();
}

function showResults(parts: SearchDialog, finder: PageFinder): void {
  const { input, status, results } = parts;
  const query = input.value.trim();
  const found = query.length < minimumLength ? [] : findPages(finder, query, currentGeneration(finder.index));
  results.replaceChildren(...found.slice(0, maximumResults).map(resultOption));
  results.scrollTop = 0;
  status.textContent = statusText(query, found.length);
  input.ariaExpanded = String(found.length > 0);
  select(parts, results.querySelector("a"));
}

/** The generation that the page belongs to, as its address says. */
function currentGeneration({ entries }: SearchIndex): string | undefined {
  const generations = entries.filter(({ kind }) => kind === "generation");
  const { href } = location;
  return generations.find(({ path }) => href.startsWith(new URL(root + path, href).href))?.generation;
}

function statusText(query: string, count: number): string {
  if (query.length < minimumLength)
    return "Type a title, a path, an operationId, or the name of a field, header, schema or group.";
  if (count === 0) return `Nothing found for “${query}”`;
  if (count > maximumResults) return `${count} results, of which the first ${maximumResults} are shown`;
  return countOf(count, "result");
}

/** A link, for whoever clicks, in the role that the pattern of a combobox asks for. */
function resultOption(
  { kind, title, path, generation, group, endpoint, text }: SearchEntry,
  position: number,
): Element {
  const [method = "", ...rest] = endpoint?.split(" ") ?? [];
  const option = element("a", "", element("span", "search-title", title));
  option.id = `search-result-${position}`;
  option.role = "option";
  option.tabIndex = -1;
  option.href = root + path;
  // Spaces keep the parts apart where they are read out.
  option.append(
    " ",
    element("span", "search-place", [kindNames[kind], generation, group].filter(Boolean).join(" · ")),
    " ",
  );
  if (endpoint !== undefined) {
    const name = [element("span", `method ${method.toLowerCase()}`, method), " ", element("code", "", rest.join(" "))];
    option.append(element("span", "endpoint", ...name));
  } else if (text !== "") {
    option.append(element("span", "search-text", text));
  }
  return option;
}

function element<Tag extends "a" | "code" | "span">(
  tag: Tag,
  className: string,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  if (className !== "") created.className = className;
  created.append(...content);
  return created;
}

function handleKey(event: KeyboardEvent, parts: SearchDialog): void {
  // While characters are being composed, these keys choose among them.
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const options = [...parts.results.querySelectorAll("a")];
  const current = options.findIndex((option) => option.ariaSelected === "true");
  if (event.key === "Enter") options[current]?.click();
  else if (event.key === "ArrowDown") select(parts, options[(current + 1) % options.length]);
  else if (event.key === "ArrowUp") select(parts, options.at(current - 1));
  else return;
  event.preventDefault();
}

function select({ input, results }: SearchDialog, option: HTMLAnchorElement | null | undefined): void {
  for (const other of results.querySelectorAll("a")) other.ariaSelected = String(other === option);
  option?.scrollIntoView({ block: "nearest" });
  if (option) input.setAttribute("aria-activedescendant", option.id);
  else input.removeAttribute("aria-activedescendant");
}
