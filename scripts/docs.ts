import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import type { Origin } from "./docs/model/site.ts";
import type { DeadLink } from "./docs/site/deadLinks.ts";

enableCompileCache();
const { readBuiltGenerations } = await import("./command/builtGenerations.ts");
const { isInGit } = await import("./command/git.ts");
const { folderOption, printLine, printProgress, printSentence, readServers, runCommand, serversOption } =
  await import("./command/commandLine.ts");
const { readBaseUrl } = await import("./contract/defaultAddress.ts");

await runCommand({
  name: "npm run docs",
  summary:
    "Renders the docs site from the bundles in generated/, or from other OpenAPI descriptions: a folder for any static " +
    "host, under any path.",
  options: {
    out: { type: "string", value: "DIR", description: "the folder to write the site to", default: "generated/docs" },
    "site-url": {
      type: "string",
      value: "URL",
      description: "the URL of the published site: adds canonical links, sitemap.xml and robots.txt",
    },
    server: serversOption,
    "allow-folder": folderOption,
  },
  positionals: "[FILE...]",
  examples: [
    "npm run docs",
    "npm run docs -- petstore.yaml --out petstore-docs",
    "npm run docs -- --out public --site-url https://docs.example.com/api/",
  ],
  run: async ({ out, "site-url": siteUrl, server = [], "allow-folder": allowed }, files) => {
    const refusal = "--site-url must be a URL such as https://docs.example.com/api/, without a query or a password";
    const url = siteUrl === undefined ? undefined : `${readBaseUrl(siteUrl, refusal)}/`;
    const isOwn = files.length === 0;
    const generations = isOwn ? await readBuiltGenerations() : await readFiles(files, allowed);
    const servers = readServers(server, generations);
    printLine(`Rendering the docs of ${generations.map(({ name }) => name).join(", ")}`);
    const { writeSite } = await import("./docs/site/writeSite.ts");
    const others = isOwn ? { origin: await readOrigin() } : { written: {} };
    const { count, deadLinks } = await writeSite({ generations, folder: resolve(out), url, servers, ...others });
    if (deadLinks.length > 0) await warnOf(deadLinks, isOwn ? await listRoots() : await listFileRoots(files, allowed));
    printLine(`Wrote ${count} files to ${out}: open ${out}/index.html`);
    if (await isInGit(resolve(out))) {
      printSentence(`${out} isn't ignored by git, npm run check and npm run format: add it to .gitignore`);
    }
  },
});

async function readFiles(files: readonly string[], allowed: string | undefined) {
  const { readDescriptions } = await import("./pipeline/buildGenerated.ts");
  return readDescriptions(files, printProgress, allowed);
}

/** The root files of the generations in redocly.yaml, by their names. */
async function listRoots(): Promise<ReadonlyMap<string, string>> {
  const { listGenerations } = await import("./command/builtGenerations.ts");
  const listed = await listGenerations(resolve("redocly.yaml"));
  return new Map(listed.map(({ name, root }) => [name, resolve(root)]));
}

async function listFileRoots(files: readonly string[], allowed: string | undefined) {
  const { configureFiles } = await import("./pipeline/configuration.ts");
  const { sources } = await configureFiles(files, allowed);
  return new Map(sources.map(({ name, root }) => [name, root]));
}

/** Where the sources of the project in the current folder are, if its package.json names a repository. */
async function readOrigin(): Promise<Origin | undefined> {
  const { readRepository } = await import("./docs/site/repository.ts");
  const repository = await readRepository();
  if (repository === undefined) return undefined;
  const locators = await createLocators(await listRoots());
  return { ...repository, placeOf: (generation, pointer) => locators.get(generation)?.(pointer) };
}

/** Functions that find what is at a pointer of a bundle in the sources, by the names of the generations. */
async function createLocators(roots: ReadonlyMap<string, string>) {
  const { createSourceLocator } = await import("./redocly/sourceFiles.ts");
  return new Map(Array.from(roots, ([name, root]) => [name, createSourceLocator(root)]));
}

/** Prints a warning for each link that leads nowhere, with its place in the sources. */
async function warnOf(links: readonly DeadLink[], roots: ReadonlyMap<string, string>): Promise<void> {
  const { placeOfText } = await import("./redocly/sourceFiles.ts");
  const { errorAt } = await import("./pipeline/lintProblems.ts");
  const { formatProblems } = await import("./pipeline/formatProblems.ts");
  const locators = await createLocators(roots);
  const problems = links.map(({ place, href }) => {
    const source = "file" in place ? { ...place, line: 1 } : locators.get(place.generation)?.(place.pointer);
    if (source === undefined) throw new Error(`${JSON.stringify(place)} has no source`);
    const { file, line } = source;
    const location = placeOfText(resolve(file), href, line);
    const message = `Nothing in the site is at ${href}, the address of a link or a picture.`;
    const advice = "Correct the address. For another site, write a whole URL: https://…";
    return { ...errorAt(location, "dead-link", message, advice), severity: "warn" } as const;
  });
  printProgress(formatProblems(problems));
}
