import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import { readBuiltGenerations } from "./command/builtGenerations.ts";
import { ignoreOutputErrors, printLine, runCommand, untilStopped } from "./command/commandLine.ts";
import { listen } from "./command/listen.ts";
import { readMockOptions, servedOptions } from "./command/mockCommand.ts";
import { serverUrl } from "./contract/generation.ts";
import { loadSite, type SiteHandler } from "./docs/siteServer.ts";
import { isUpToDate, writeSite } from "./docs/writeSite.ts";
import { buildGenerated } from "./pipeline/buildGenerated.ts";

enableCompileCache();

await runCommand({
  name: "npm start",
  summary: "Builds what is out of date, and serves the docs and the mock together until stopped.",
  options: {
    ...servedOptions,
    docs: { type: "string", value: "DIR", description: "the folder for the docs", default: "generated/docs" },
  },
  examples: ["npm start", "npm start -- --port 8080"],
  run: async ({ docs, ...values }) => {
    ignoreOutputErrors();
    const options = readMockOptions(values);
    await buildGenerated({ directory: resolve("generated"), report: printProgress });
    const generations = await readBuiltGenerations();
    const site = { generations, folder: resolve(docs) };
    if (!(await isUpToDate(site))) {
      printProgress("Rendering the docs");
      await writeSite(site);
    }

    const stopped = untilStopped();
    let serveSite: SiteHandler = () => false;
    await using mock = await listen({
      ...options,
      generations,
      site: (request, response) => serveSite(request, response),
    });
    const paths = generations.flatMap(({ operations }) => operations.map(({ path }) => path));
    serveSite = await loadSite({
      folder: site.folder,
      // Where the API's own paths begin, and those of the mock's endpoints.
      foreignSegments: new Set(["-", ...paths.map((path) => path.split("/")[1] ?? "")]),
      // So samples work as pasted on any port.
      addresses: new Map(
        generations.flatMap(({ operations }) => operations.map((operation) => [serverUrl(operation), mock.url])),
      ),
    });
    printLine(`Listening on ${mock.url}`);
    printLine(`  docs: ${mock.url}/`);
    for (const { name } of generations) printLine(`  mock of ${name}: ${mock.url}/${name}/`);
    await stopped;
  },
});

/** The first line on stdout says where the server is: what is done before that goes to stderr. */
function printProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}
