import { inject, it as base } from "vitest";
import { launchBrowser } from "../launchBrowser.ts";
import { parseJson, stringMembersOf } from "../../scripts/values/json.ts";
import type { Docs } from "./start.ts";

/** Tests of the docs. What is costly is made when a test first wants it: a browser once for all test files of a process. */
export const it = base
  .extend("browser", { scope: "worker" }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  /** What `npm start` serves, for all processes. */
  .extend("docs", { scope: "worker" }, () => askForDocs("docs"))
  /** The folder of the docs of the contract `large`, for all processes. */
  .extend("largeDocs", { scope: "worker" }, async () => (await askForDocs("large")).folder)
  /** The folder of the docs that know that they are at `siteUrl`, for all processes. */
  .extend("published", { scope: "worker" }, async () => (await askForDocs("published")).folder);

async function askForDocs(name: string): Promise<Docs> {
  const response = await fetch(`${inject("sharedDocs")}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const { url = "", folder = "" } = stringMembersOf(parseJson(text));
  return { url, folder };
}
