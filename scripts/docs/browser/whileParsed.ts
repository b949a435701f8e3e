/*
 * Inline in every page, so that nothing has to load before the first frame. Theme and language are correct from the
 * start.
 */
import { markLanguages } from "./languages.ts";
import { chooseTheme, markTheme, showMenuPlace, storage } from "./marks.ts";

const { documentElement: html } = document;

chooseTheme();
html.dataset["language"] = storage?.getItem("docs.language") ?? "typescript";
html.classList.add("scripted");
// Starts loading the font before the first layout of text. Browsers preload nothing from `file://`.
const preload = { rel: "preload", as: "font", crossOrigin: "", href: html.dataset["font"] };
if (preload.href !== undefined && location.protocol !== "file:")
  document.head.append(Object.assign(document.createElement("link"), preload));

declare global {
  interface Window {
    /** Pages call it after each of their parts, because the layout of the whole page would be one long task. */
    layOut: () => void;
  }
}

window.layOut = () => {
  markLanguages();
  markTheme();
  showMenuPlace();
  // Reading the page's height triggers a layout.
  void html.offsetHeight;
};
