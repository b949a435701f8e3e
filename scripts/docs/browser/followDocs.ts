/*
 * Part of the pages only while the contract is edited. Reloads the page when the docs have changed, and shows why the
 * last saved state couldn't be built.
 */
import { valueAt } from "../../spec/json.ts";
import { element } from "./elements.ts";

// A popover is above the page, with its own styles.
const notice = element("pre", { role: "alert", popover: "manual" });
document.body.append(notice);

let loaded: unknown;
setInterval(() => {
  // While `npm run dev` restarts, no server responds.
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
