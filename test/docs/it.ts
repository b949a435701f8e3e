import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it as base } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { launchBrowser } from "../../scripts/command/launchBrowser.ts";
import { writeSite } from "../../scripts/docs/site/writeSite.ts";
import { startDocs } from "./start.ts";

/** Where the published docs are: under a path of a host that does not exist. */
export const siteUrl = "https://docs.example/some/path/";

/** Tests of the docs. What is costly is made when a test first wants it, once for all test files of a process. */
export const it = base
  .extend("browser", { scope: "worker" }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  /** What `npm start` serves. */
  .extend("docs", { scope: "worker" }, async ({}, { onCleanup }) => {
    const docs = await startDocs();
    onCleanup(async () => {
      await docs.stop();
    });
    return docs;
  })
  /** The folder of the docs that know that they are at {@link siteUrl}. */
  .extend("published", { scope: "worker" }, async ({}, { onCleanup }) => {
    const parent = await mkdtemp(join(tmpdir(), "published-"));
    onCleanup(() => rm(parent, { recursive: true }));
    const folder = join(parent, "site");
    await writeSite({ generations: await readBuiltGenerations(), folder, url: siteUrl });
    return folder;
  });
