/*
 * What a reader has on a page, kept while it reloads: the open form, its changed controls and response, and the place in
 * the text.
 */
import { elementsOf, parseJson, stringOf, valueAt } from "../../values/json.ts";
import type { KeptResponse } from "./keepResponse.ts";
import { keepInTab, readInTab } from "./tabStorage.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const key = "docs.kept-page";
const secret = "[data-secret], [type=password]";
const openForm = ".try-it:not([hidden])";
/** The controls that the reader has changed. Others follow the contract. */
const changed = new WeakSet<EventTarget>();

const response: KeptResponse = { save: () => undefined, saved: undefined };
window.keptResponse = response;

document.addEventListener("input", ({ target }) => void (target && changed.add(target)), { capture: true });

/**
 * Remembers the page without credentials, which only the reader may store. The next page that calls
 * {@link restorePage} gets it once, if it has the same address.
 */
export function keepPage(): void {
  const controls = [...listControls()];
  const filled = controls.filter(([, control]) => changed.has(control) && !control.matches(secret));
  const unfolded = [...listFolds()].filter(([, { open }]) => open);
  const kept = {
    address: location.pathname,
    isFormOpen: document.querySelector(openForm) !== null,
    controls: filled.map(([name, control]) => [name, contentOf(control)]),
    folds: unfolded.map(([name]) => name),
    focused: [...listFocusable()].find(([, one]) => one === document.activeElement)?.[0],
    places: listPlaces(),
  };
  const isKept = keepInTab(key, JSON.stringify({ ...kept, response: response.save() }));
  // A large response doesn't fit in the storage of browsers, which is 5 MB.
  if (!isKept) keepInTab(key, JSON.stringify(kept));
  // The browser would restore the number of pixels.
  history.scrollRestoration = "manual";
}

/** Restores the remembered page, as far as this one still has its parts. */
export async function restorePage(): Promise<void> {
  const kept = parseJson(readInTab(key));
  keepInTab(key, "");
  if (valueAt(kept, ["address"]) !== location.pathname) return;
  response.saved = valueAt(kept, ["response"]);
  if (valueAt(kept, ["isFormOpen"]) === true) await reopenForm();
  response.saved = undefined;
  const folds = listFolds();
  for (const name of elementsOf(valueAt(kept, ["folds"]))) folds.get(String(name))?.setAttribute("open", "");
  for (const one of elementsOf(valueAt(kept, ["controls"]))) fill(...textsOf(one));
  // Opening the form has moved the focus to its heading.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  const focused = stringOf(valueAt(kept, ["focused"])) ?? "";
  listFocusable().get(focused)?.focus({ preventScroll: true });
  await scrollToPlace(elementsOf(valueAt(kept, ["places"])));
}

/** Opens the form, and waits for its controls. */
async function reopenForm(): Promise<void> {
  document.querySelector<HTMLButtonElement>('[data-open="try-it"]')?.click();
  // At most for five seconds. Animation frames would wait until the reader looks at the page.
  for (let count = 0; count < 250 && document.querySelector(`${openForm} form`) === null; count += 1) await wait(20);
}

/** Fills a control as if its reader did. A choice that is gone is left out. */
function fill(name: string, content: string): void {
  // Controls before this one may have made it.
  const control = listControls().get(name);
  if (control instanceof HTMLSelectElement && ![...control.options].some(({ value }) => value === content)) return;
  if (isCheckbox(control)) control.checked = content === "true";
  else if (control !== undefined) control.value = content;
  for (const type of ["input", "change"]) control?.dispatchEvent(new Event(type, { bubbles: true }));
}

function contentOf(control: Control): string {
  return isCheckbox(control) ? String(control.checked) : control.value;
}

function isCheckbox(control: Control | undefined): control is HTMLInputElement {
  return control?.type === "checkbox";
}

/**
 * The controls of the page by names that hold while the contract changes. Pages can't fill inputs of files.
 */
function listControls(): ReadonlyMap<string, Control> {
  const controls = document.querySelectorAll<Control>("main :is(input:not([type=file]), select, textarea)");
  return named(controls, (control) => {
    const label = control.dataset["place"] ?? control.labels?.[0]?.textContent ?? control.name;
    return `${control.localName} ${label}`;
  });
}

/** The elements that keep the focus, by their names. */
function listFocusable(): ReadonlyMap<string, HTMLElement> {
  const others = document.querySelectorAll<HTMLElement>("main :is(button, summary)");
  return new Map([...listControls(), ...named(others, ({ localName, textContent }) => `${localName} ${textContent}`)]);
}

function listFolds(): ReadonlyMap<string, HTMLDetailsElement> {
  const folds = [...document.querySelectorAll<HTMLDetailsElement>("main details")];
  return named(folds, (fold) => [fold.closest("[id]")?.id, fold.querySelector("summary")?.textContent].join(" "));
}

/** Elements by their names. Those with the same name are counted. */
function named<T extends Element>(elements: Iterable<T>, nameOf: (one: T) => string): ReadonlyMap<string, T> {
  const byName = new Map<string, T>();
  for (const one of elements) {
    const name = nameOf(one);
    let count = 1;
    while (byName.has(`${name} ${count}`)) count += 1;
    byName.set(`${name} ${count}`, one);
  }
  return byName;
}

/**
 * The headings and other places with an id, with their distances from the top. The nearest ones are first.
 */
function listPlaces(): readonly (readonly [id: string, top: number])[] {
  const places = [...document.querySelectorAll<HTMLElement>("main [id]:not(.try-it [id])")];
  const shown = places.filter((place) => place.checkVisibility() && !isSticky(place));
  const withTops = shown.map((place) => [place.id, place.getBoundingClientRect().top] as const);
  return withTops.sort(([, a], [, b]) => Math.abs(a) - Math.abs(b));
}

/** Returns whether an element stays in place while the text scrolls. */
function isSticky(element: Element): boolean {
  const isStuck = ["fixed", "sticky"].includes(getComputedStyle(element).position);
  return isStuck || (element.parentElement !== null && isSticky(element.parentElement));
}

/** Scrolls until the first remembered place that still exists is where it was. */
async function scrollToPlace(places: readonly unknown[]): Promise<void> {
  const found = places.map(textsOf).find(([id]) => document.getElementById(id) !== null);
  if (found === undefined) return;
  const [id, top] = found;
  // Parts that come into view get their heights, and fonts are loaded.
  for (let count = 0; count < 10; count += 1) {
    const moved = (document.getElementById(id)?.getBoundingClientRect().top ?? 0) - Number(top);
    scrollBy({ top: moved, behavior: "instant" });
    await wait(30);
  }
}

function textsOf(pair: unknown): [string, string] {
  const [first = "", second = ""] = elementsOf(pair).map(String);
  return [first, second];
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
