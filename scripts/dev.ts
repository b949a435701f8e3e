import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import type { SavedContract } from "./pipeline/loadSources.ts";

enableCompileCache();
const { ignoreOutputErrors, listen, runCommand, untilStopped } = await import("./command/commandLine.ts");
const { reportOf } = await import("./contract/failures.ts");
const { announce, printEvent, printMistake, printReady, printWarnings, reload } =
  await import("./command/mockCommand.ts");
const { formatDuration } = await import("./command/times.ts");
const { docsOption, readMockOptions, servedOptions } = await import("./command/mockOptions.ts");

await runCommand({
  name: "npm run dev",
  waits: true,
  summary:
    "Serves the docs and the mock while you write the contract. A change saved in openapi/ is in the mock at once, " +
    "then in the docs, and then in generated/. House style violations are warnings.",
  options: { ...servedOptions, docs: docsOption },
  examples: ["npm run dev", "npm run dev -- --port 8080"],
  run: async ({ docs: folder, ...values }) => {
    ignoreOutputErrors();
    const options = readMockOptions(values);
    const directory = resolve("generated");
    const stopped = untilStopped();
    const { followSources } = await import("./pipeline/followSources.ts");
    const { createEditorLinks } = await import("./docs/site/editorLinks.ts");
    const { createLiveDocs } = await import("./docs/site/liveDocs.ts");
    const { guidesFolder } = await import("./docs/site/siteStamp.ts");
    const { workflowsFolder } = await import("./workflows/arazzoFiles.ts");

    const { first, follow } = await followSources(undefined, [resolve(guidesFolder), resolve(workflowsFolder)]);
    const docs = await createLiveDocs(resolve(folder), createEditorLinks(process.env));
    const { findDocs } = await import("./docs/site/siteServer.ts");
    const beside = { site: docs.handle, findDocs };
    await using mock = await listen({ ...options, generations: first.generations, ...beside });
    announce(mock, first.generations, options, { Docs: "/" });
    let isReady = false;
    const render = async ({ generations, since }: SavedContract) => {
      const isNew = await docs.render({ generations, mockUrl: mock.url });
      if (isNew) printEvent(`Rendered the docs in ${formatDuration(Date.now() - since)}`);
      if (!isReady) printReady();
      isReady = true;
    };
    // The stages of a save. The first of them, which reads and bundles the changed sources, has finished before these.
    using _following = await follow({
      onSave: (contract) => {
        reload(mock, contract);
        docs.show("");
      },
      afterSave: async (contract, isLatest) => {
        const { writeGenerated, writeResponses } = await import("./pipeline/buildGenerated.ts");
        // Responses to workflows seldom change, so the docs are rendered first. That fails for a new workflow, which has
        // none yet.
        await render(contract).catch(() => undefined);
        try {
          await writeResponses(directory, contract.generations);
          await render(contract);
        } finally {
          // If a workflow no longer works, they may name the cause.
          if (isLatest()) await printWarnings(contract);
        }
        if (isLatest()) await writeGenerated(directory, contract.generations, printEvent);
      },
      onMistake: (failure, isServed) => {
        printMistake(failure, isServed);
        docs.show(reportOf(failure));
      },
    });
    await stopped;
  },
});
