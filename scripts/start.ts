import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import type { SiteHandler } from "./docs/site/siteServer.ts";

enableCompileCache();
const { readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { ignoreOutputErrors, listen, printProgress, runCommand, untilStopped } =
  await import("./command/commandLine.ts");
const { announce, printReady } = await import("./command/mockCommand.ts");
const { formatDuration } = await import("./command/times.ts");
const { docsOption, readMockOptions, servedOptions } = await import("./command/mockOptions.ts");
const { isUpToDate } = await import("./docs/site/siteStamp.ts");
const { isBuilt, markBuilt } = await import("./pipeline/buildStamp.ts");

await runCommand({
  name: "npm start",
  waits: true,
  summary: "Builds outdated files, and serves the docs and the mock together until stopped.",
  options: { ...servedOptions, docs: docsOption },
  examples: ["npm start", "npm start -- --port 8080"],
  run: async ({ docs, ...values }) => {
    ignoreOutputErrors();
    const options = readMockOptions(values);
    const directory = resolve("generated");
    if (!(await isBuilt(directory))) {
      // The first line on stdout is the server's URL.
      const { lintSources, writeGenerated } = await import("./pipeline/buildGenerated.ts");
      await writeGenerated(directory, await lintSources(printProgress), printProgress);
      await markBuilt(directory);
    }
    const generations = await readBuiltGenerations();

    const stopped = untilStopped();
    const served = Promise.withResolvers<SiteHandler>();
    await using mock = await listen({
      ...options,
      generations,
      findDocs: async (...of) => (await import("./docs/site/siteServer.ts")).findDocs(...of),
      // Requests that arrive before the docs are ready wait for them.
      site: async (request, response) => (await served.promise)(request, response),
    });
    const site = { generations, folder: resolve(docs), mockUrl: mock.url };
    if (!(await isUpToDate(site))) {
      printProgress("Rendering the docs");
      const start = performance.now();
      const { writeSite } = await import("./docs/site/writeSite.ts");
      await writeSite(site);
      printProgress(`Rendered the docs in ${formatDuration(performance.now() - start)}`);
    }
    // It shares modules with the mock, which the compile cache already has.
    const { loadSite } = await import("./docs/site/siteServer.ts");
    served.resolve(loadSite(site));
    announce(mock, generations, options, { Docs: "/" });
    printReady();
    await stopped;
  },
});
