/* Loads the page again when the docs have changed while the contract is written, or says what is wrong with it. */
import { parseJson } from "../../spec/json.ts";
import { valueAt } from "../../spec/jsonPointer.ts";
import { element } from "./elements.ts";

// The browser shows it above the page, with styles of its own.
const notice = element("pre", { role: "alert", popover: "manual" });

let loaded: unknown;
new EventSource("/-/docs/state").addEventListener("message", ({ data }) => {
  const state = parseJson(String(data));
  const [build, problem] = [valueAt(state, ["build"]), String(valueAt(state, ["problem"]))];
  loaded ??= build;
  if (build !== loaded) location.reload();
  notice.textContent = problem;
  document.body.append(notice);
  notice.togglePopover(problem !== "");
});
