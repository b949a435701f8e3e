import { attempt } from "../../contract/failures.ts";

// Browsers may be told to store nothing.
export const storage = attempt(() => localStorage);

/** Says on its button which theme has been chosen. */
export function markTheme(): void {
  document.querySelector(".theme")?.replaceChildren(document.documentElement.dataset["theme"] ?? "");
}

/** Scrolls the menu to the place of the page. */
export function showMenuPlace(): void {
  const menu = document.querySelector("#menu");
  const place = menu?.querySelector<HTMLElement>("[aria-current=page]");
  if (menu && place && place.offsetTop > menu.clientHeight / 2) menu.scrollTop = place.offsetTop - 160;
}
