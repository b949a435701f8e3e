/*
 * What is in every page itself, so that nothing has to be loaded before the first frame: theme and language are right from
 * then on.
 */
import { markLanguages } from "./languages.ts";
import { markTheme, showMenuPlace, storage } from "./marks.ts";

const { documentElement: html } = document;

html.dataset["theme"] = storage?.getItem("docs.theme") ?? "system";
html.dataset["language"] = storage?.getItem("docs.language") ?? "typescript";
html.classList.add("scripted");
// So that the font is there when text is laid out first. Browsers preload nothing from `file://`.
const preload = { rel: "preload", as: "font", crossOrigin: "", href: html.dataset["font"] ?? "" };
if (location.protocol !== "file:") document.head.append(Object.assign(document.createElement("link"), preload));

declare global {
  interface Window {
    /** Pages call it after each of their parts: to lay all out at once would be one long task. */
    layOut: () => void;
  }
}

window.layOut = () => {
  markLanguages();
  markTheme();
  showMenuPlace();
  // Whoever asks how high a page is has it laid out.
  void html.offsetHeight;
};
