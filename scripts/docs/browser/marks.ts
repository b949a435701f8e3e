import { attempt } from "../../contract/failures.ts";

// Browsers may block storage.
export const storage = attempt(() => localStorage);

/** Shows the chosen theme on its button. */
export function markTheme(): void {
  document.querySelector(".theme")?.replaceChildren(document.documentElement.dataset["theme"] ?? "");
}

/** Scrolls the menu to the current page. */
export function showMenuPlace(): void {
  const menu = document.querySelector("#menu");
  const place = menu?.querySelector<HTMLElement>("[aria-current=page]");
  if (menu && place && place.offsetTop > menu.clientHeight / 2) menu.scrollTop = place.offsetTop - 160;
}
