/* The script of every page. It loads after the page is parsed. */
import { wordsIn } from "../../values/text.ts";
import { percentDecode } from "../../values/percentEncoding.ts";
import { copyText } from "./copyText.ts";
import { loadScript } from "./loadScript.ts";
import { markLanguages } from "./languages.ts";
import { showMenuPlace, storage, switchTheme } from "./marks.ts";
import { createSearchDialog, openSearchDialog, sayNotLoaded } from "./searchDialog.ts";

const { documentElement: html, currentScript } = document;
const fileOf = (name: string) => currentScript?.getAttribute(`data-${name}`) ?? "";

/** Details with the same name are alternatives: only one is open at a time. */
const foldedDetails = "details:not([name])";

/** The actions of buttons, by the names of their `data-` attributes. Each gets the attribute's value. */
const actions: Readonly<Record<string, (button: HTMLButtonElement, value: string) => unknown>> = {
  copy,
  copyCode: (button) => copy(button, button.closest("figure")?.querySelector("pre code")?.textContent ?? ""),
  // From disk, browsers can't read files beside the page.
  copyMarkdown: (button, address) => copy(button, read(address), "Not possible here: open “Markdown”"),
  example: chooseExample,
  fold: foldFields,
  languageChoice: (_, language) => {
    html.dataset["language"] = language;
    storage?.setItem("docs.language", language);
    markLanguages();
  },
  open: (_, name) => {
    if (name !== "search") return loadScript(fileOf(name));
    openSearchDialog();
    return loadSearch();
  },
  run: runStep,
  switch: switchTheme,
};

document.addEventListener("DOMContentLoaded", () => {
  document.addEventListener("click", handleClick);
  document.addEventListener("keydown", handleKey);
  window.addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll<HTMLDetailsElement>(foldedDetails)) folded.open = true;
    // The print stylesheet writes addresses behind links. Only absolute addresses are useful on paper.
    const links = document.querySelectorAll<HTMLAnchorElement>(
      'main :is(.links, p:not([class]), ul:not([class])) a:not(table a, [href^="#"])',
    );
    for (const link of links) link.setAttribute("href", link.href);
  });
  loadBlockedStyles();
  followSections();
  followMock();
  showNearest();
});

/** Hosts whose policy allows no styles within pages (`default-src 'self'`) still allow a file with them. */
function loadBlockedStyles(): void {
  if (document.querySelector("style")?.sheet !== null) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: fileOf("styles") });
  document.head.append(link);
}

function handleClick(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target : undefined;
  const link = target?.closest("a");
  if (link?.classList.contains("anchor") === true) copyAddress(event, link);
  // For a folder on disk, browsers show a list of its files.
  if (link?.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
  closeGaps(link ? undefined : target);
  const summary = target?.closest("summary");
  if (summary) followFold(summary);
  const button = target?.closest("button");
  if (!button) return;
  for (const [name, value = ""] of Object.entries(button.dataset)) void actions[name]?.(button, value);
}

/** The list of gaps covers the page, so it closes when a reader goes elsewhere. */
function closeGaps(target?: Element): void {
  const list = document.querySelector<HTMLDetailsElement>(".unspecified-list[open]");
  if (list && !(target && list.contains(target))) list.open = false;
}

function handleKey(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey } = event;
  if (key === "Escape") closeGaps();
  if (key === "ArrowDown" || key === "ArrowUp") moveToAddress(event);
  // In WebKit 2.50, the dialog's input may keep the focus when the dialog is closed.
  const isWriting = target instanceof Element && target.closest("input, textarea, select")?.checkVisibility() === true;
  const isShortcut = (ctrlKey || metaKey) && key.toLowerCase() === "k";
  if (!isShortcut && (key !== "/" || isWriting)) return;
  event.preventDefault();
  document.querySelector<HTMLButtonElement>('[data-open="search"]')?.click();
}

/** On the page for unknown addresses, searches for the words of the address. */
function showNearest(): void {
  const place = document.querySelector(".nearest");
  if (!place) return;
  const root = new URL(html.dataset["root"] ?? "", location.href).pathname;
  const words = wordsIn(percentDecode(location.pathname.slice(root.length)) ?? "");
  const dialog = createSearchDialog(place);
  dialog.querySelector("input")?.setAttribute("value", words.join(" "));
  dialog.open = true;
  void loadSearch();
}

async function loadSearch(): Promise<void> {
  if (!(await loadScript(fileOf("search")))) sayNotLoaded();
}

/** Copies the address of a place, and makes it the address of the page. The page doesn't scroll. */
function copyAddress(event: MouseEvent, link: HTMLAnchorElement): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.replaceState(null, "", link.hash);
  void copy(link, link.href);
}

function moveToAddress(event: KeyboardEvent): void {
  const shown = [...document.querySelectorAll<HTMLElement>(".anchor")].filter((anchor) => anchor.checkVisibility());
  const index = shown.findIndex((anchor) => anchor === event.target);
  if (index === -1) return;
  event.preventDefault();
  shown[index + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
}

/** Runs a request of a guide with the mock in the page. Its script loads on first use. */
async function runStep(button: HTMLButtonElement, id: string): Promise<void> {
  button.ariaBusy = "true";
  const isLoaded = await loadScript(fileOf("steps"));
  button.ariaBusy = null;
  if (isLoaded) window.runStep?.(id);
  else showOutcome(button, "Couldn't be loaded");
}

function chooseExample(chosen: HTMLButtonElement, example: string): void {
  for (const button of document.querySelectorAll("[data-example]")) button.ariaPressed = String(button === chosen);
  for (const part of document.querySelectorAll<HTMLElement>("[data-examples]")) {
    part.classList.toggle("chosen", part.dataset["examples"]?.split(" ").includes(example));
  }
}

function foldFields(button: HTMLButtonElement): void {
  const isOpen = button.textContent.startsWith("Expand");
  for (const folded of foldedBeside(button)) folded.open = isOpen;
  nameFoldButton(button, isOpen);
}

/** The foldable contents of fields, in the section of their button. */
function foldedBeside(button: Element): readonly HTMLDetailsElement[] {
  return [...(button.parentElement?.querySelectorAll<HTMLDetailsElement>("details.nested") ?? [])];
}

/** Updates the button's label after a reader has opened or folded something, which happens after the click. */
function followFold(summary: Element): void {
  const button = summary.closest("section:has(> .fold)")?.querySelector(".fold");
  const chosen = summary.parentElement;
  if (button)
    nameFoldButton(
      button,
      foldedBeside(button).every((one) => one.open !== (one === chosen)),
    );
}

function nameFoldButton(button: Element, isAllOpen: boolean): void {
  button.textContent = isAllOpen ? "Collapse all" : "Expand all";
}

/** Marks the current section in the table of contents, and scrolls the menu to the page. */
function followSections(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".sections a")];
  const headings = links.flatMap(({ hash }) => document.getElementById(percentDecode(hash.slice(1)) ?? "") ?? []);
  const mark = () => {
    // The last section counts as reached at the end of the page, even if it is too short to reach the top.
    const isEnd = scrollY > 0 && innerHeight + scrollY >= html.scrollHeight - 2;
    // A hidden heading is that of the examples, which stay beside the text.
    const reached = headings.findLastIndex(
      (heading) => heading.offsetHeight > 1 && (isEnd || heading.getBoundingClientRect().top < 160),
    );
    for (const [index, link] of links.entries()) link.ariaCurrent = index === reached ? "true" : null;
  };
  if (links.length > 0) document.addEventListener("scroll", mark, { passive: true });
  document.querySelector("#menu")?.addEventListener("toggle", showMenuPlace);
}

/** Shows whether the mock that serves this page runs. Only its own server is asked, so nothing elsewhere. */
function followMock(): void {
  const link = document.querySelector<HTMLAnchorElement>(".mock");
  if (link?.port !== location.port) return;
  const look = async () => {
    if (document.hidden) return;
    const { ok } = await fetch("/-/mock/health").catch(() => ({ ok: false }));
    for (const dot of document.querySelectorAll<HTMLElement>(".dot")) dot.hidden = !ok;
  };
  void look();
  document.addEventListener("visibilitychange", () => void look());
}

async function read(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(response.statusText);
  return response.text();
}

async function copy(shown: HTMLElement, text: string | Promise<string>, refusal = "Not allowed"): Promise<void> {
  const outcome = await copyText(text).then(
    () => "Copied",
    () => refusal,
  );
  showOutcome(shown, outcome);
}

/** Shows an outcome on a button until it can be read. For a link, the styles show it. */
function showOutcome(shown: HTMLElement, outcome: string): void {
  const { label = shown.textContent } = shown.dataset;
  Object.assign(shown.dataset, { label, outcome });
  const isButton = shown instanceof HTMLButtonElement;
  if (isButton) shown.textContent = outcome;
  const reset = () => {
    if (isButton) shown.textContent = label;
    delete shown.dataset["outcome"];
  };
  setTimeout(reset, 1000 + 50 * outcome.length);
}
