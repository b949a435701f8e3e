import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import { runCommand, untilStopped } from "./command.ts";
import { buildGenerated } from "./contract/build.ts";
import type { Document } from "./contract/document.ts";
import { loadSite, type SiteHandler } from "./docs/serve.ts";
import { serverAddress } from "./docs/server.ts";
import { isUpToDate, writeSite } from "./docs/write.ts";
import { readBundles } from "./mock/bundles.ts";
import { listen, readPort } from "./mock/listen.ts";
import { formatRequest } from "./mock/log.ts";

enableCompileCache();

await runCommand({
  name: "npm start",
  summary: "Builds what is stale, and serves the docs and the mock together, until stopped.",
  options: {
    port: { type: "string", value: "PORT", description: "where to listen; 0 takes a free port", default: "4010" },
    host: { type: "string", value: "HOST", description: "the address to listen on", default: "127.0.0.1" },
    docs: { type: "string", value: "DIR", description: "where the docs are kept", default: "generated/docs" },
    quiet: { type: "boolean", description: "print no line for each request to the mock" },
  },
  examples: ["npm start", "npm start -- --port 8080"],
  run: async ({ port, host, docs, quiet }) => {
    const options = { port: readPort(port), host };
    const report = quiet ? () => undefined : print;
    await buildGenerated({ directory: resolve("generated"), report: note });
    const generations = await readBundles("generated");
    const site = { generations, folder: resolve(docs) };
    if (!(await isUpToDate(site))) {
      note("Rendering the docs");
      await writeSite(site);
    }

    const stopped = untilStopped();
    let answerFromSite: SiteHandler = () => false;
    await using mock = await listen({
      ...options,
      generations,
      site: (request, response) => answerFromSite(request, response),
      onRequest: (entry) => {
        report(formatRequest(entry, process.stdout));
      },
    });
    answerFromSite = await loadSite({
      folder: site.folder,
      foreignSegments: firstSegments(generations),
      // So samples work as pasted on any port.
      addresses: new Map(Object.values(generations).map((document) => [serverAddress(document), mock.url])),
    });
    print(`Listening on ${mock.url}`);
    print(`  docs: ${mock.url}/`);
    for (const name of Object.keys(generations)) print(`  mock of ${name}: ${mock.url}/${name}/`);
    await stopped;
    return 0;
  },
});

/** Where the API's own paths begin. */
function firstSegments(generations: Readonly<Record<string, Document>>): ReadonlySet<string> {
  const paths = Object.values(generations).flatMap((document) => Object.keys(document.paths ?? {}));
  return new Set(paths.map((path) => path.split("/")[1] ?? ""));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The first line on stdout says where the server is: what is done before goes to stderr. */
function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
