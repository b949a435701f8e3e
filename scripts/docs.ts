import { enableCompileCache } from "node:module";
import { resolve } from "node:path";

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
    const generations = files.length > 0 ? await readFiles(files, allowed) : await readBuiltGenerations();
    const servers = readServers(server, generations);
    printLine(`Rendering the docs of ${generations.map(({ name }) => name).join(", ")}`);
    const { writeSite } = await import("./docs/site/writeSite.ts");
    const written = files.length > 0 && { written: {} };
    const count = await writeSite({ generations, folder: resolve(out), url, servers, ...written });
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
