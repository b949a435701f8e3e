// @ts-check
import { find } from "./dom.js";

/** The docs on the same server share it. */
const key = "docs.theme";
const themes = ["system", "light", "dark"];

/** Shows the theme that the reader has chosen, here or in the docs, and lets the reader choose another. */
export function showTheme() {
  apply(stored() ?? "system");
  find("#theme").addEventListener("click", () => {
    const { theme = "" } = document.documentElement.dataset;
    const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
    apply(next);
    store(next);
  });
}

/** @param {string} theme */
function apply(theme) {
  document.documentElement.dataset["theme"] = theme;
  find("#theme-name").textContent = theme;
}

function stored() {
  try {
    return localStorage.getItem(key);
  } catch {
    // Browsers can forbid storage.
    return null;
  }
}

/** @param {string} theme */
function store(theme) {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The theme lasts as long as the page.
  }
}
