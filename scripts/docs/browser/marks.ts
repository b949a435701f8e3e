import { attempt } from "../../contract/failures.ts";

// Browsers may block storage.
export const storage = attempt(() => localStorage);

const { dataset } = document.documentElement;
const themeKey = "docs.theme";
const nextThemes: Readonly<Record<string, string>> = { system: "dark", dark: "light" };

/** Makes the theme of the page the one that the reader has chosen on any page of this server. */
export function chooseTheme(theme = storage?.getItem(themeKey) ?? "system"): void {
  dataset["theme"] = theme;
  markTheme();
}

/** Shows the chosen theme on its button. */
export function markTheme(): void {
  document.querySelector(".theme")?.replaceChildren(dataset["theme"] ?? "");
}

/** Makes the page have the next theme. */
export function switchTheme(): void {
  const next = nextThemes[dataset["theme"] ?? ""] ?? "system";
  chooseTheme(next);
  // The theme lasts as long as the page if the storage is full.
  attempt(() => storage?.setItem(themeKey, next));
}

/** Scrolls the menu to the current page. */
export function showMenuPlace(): void {
  const menu = document.querySelector("#menu");
  const place = menu?.querySelector<HTMLElement>("[aria-current=page]");
  if (menu && place && place.offsetTop > menu.clientHeight / 2) menu.scrollTop = place.offsetTop - 160;
}
