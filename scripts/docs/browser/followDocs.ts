/*
 * Part of the pages only while the contract is edited. Reloads the page when the docs have changed, and shows why the
 * last saved state couldn't be built.
 */
import { membersOf, valueAt } from "../../values/json.ts";
import { adoptStyles } from "./adoptStyles.ts";
import { keepPage, restorePage } from "./keepPage.ts";
import { createNotice } from "./notice.ts";

/** The text of `follow-docs.css`. The bundler sets it. */
declare const noticeStyles: string;

adoptStyles(noticeStyles);
const notice = createNotice();
// The docs may have changed since the page was loaded.
const build = document.currentScript?.dataset["build"];
let isReloading = false;

document.addEventListener("DOMContentLoaded", () => {
  void restorePage().finally(() => {
    history.scrollRestoration = "auto";
    setInterval(() => {
      // While `npm run dev` restarts, no server responds.
      follow().catch(() => undefined);
    }, 300);
  });
});

async function follow(): Promise<void> {
  const state: unknown = await (await fetch("/-/docs/state")).json();
  if (isReloading) return;
  isReloading = String(valueAt(state, ["build"])) !== build;
  if (isReloading) {
    keepPage();
    location.reload();
  }
  const links = new Map(membersOf(valueAt(state, ["links"])).map(([place, address]) => [place, String(address)]));
  notice.show(String(valueAt(state, ["problem"])), String(valueAt(state, ["since"])), links);
}
