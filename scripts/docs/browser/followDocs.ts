/*
 * Part of the pages only while the contract is being written: loads the page again when the docs have changed, and says
 * why they could not be made from what was saved last.
 */
import { parseJson } from "../../spec/json.ts";
import { valueAt } from "../../spec/jsonPointer.ts";
import { element } from "./elements.ts";

const notice = element("pre", { role: "alert" });
// The policy of the pages forbids `style` attributes, and lets scripts set styles.
Object.assign(notice.style, {
  position: "fixed",
  inset: "auto 0 0",
  zIndex: "10",
  maxHeight: "60vh",
  margin: "0",
  padding: "1rem",
  overflow: "auto",
  borderTop: "3px solid var(--danger)",
  borderRadius: "0",
  whiteSpace: "pre-wrap",
});

let loaded: unknown;
new EventSource("/-/docs/state").addEventListener("message", ({ data }) => {
  const state = parseJson(String(data));
  const [build, problem] = [valueAt(state, ["build"]), String(valueAt(state, ["problem"]))];
  loaded ??= build;
  if (build !== loaded) location.reload();
  notice.textContent = problem;
  if (problem === "") notice.remove();
  else document.body.append(notice);
});
