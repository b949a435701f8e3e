/*
 * Part of the pages only while the contract is being written: loads the page again when the docs have changed, and says
 * why they could not be made from what was saved last.
 */
import { valueAt } from "../../spec/json.ts";
import { element } from "./elements.ts";

// The browser shows it above the page, with styles of its own.
const notice = element("pre", { role: "alert", popover: "manual" });
document.body.append(notice);

let loaded: unknown;
setInterval(() => {
  // While `npm run dev` starts again, nobody answers.
  follow().catch(() => undefined);
}, 300);

async function follow(): Promise<void> {
  const state: unknown = await (await fetch("/-/docs/state")).json();
  const [build, problem] = [valueAt(state, ["build"]), String(valueAt(state, ["problem"]))];
  loaded ??= build;
  if (build !== loaded) location.reload();
  notice.textContent = problem;
  notice.togglePopover(problem !== "");
}
