import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type { Generation, Operation } from "../contract/generation.ts";
import { slugOf } from "../contract/text.ts";
import type { MeasuredPage } from "./pageLoad.ts";
import { runProgram, temporaryFolder } from "./programs.ts";

/** Other renderers, as their own documentation embeds them: their pages read openapi.json, and load files of a package. */
const renderers = {
  Scalar: {
    package: "@scalar/api-reference@1.72.1",
    files: ["dist/browser/standalone.js"],
    body: `<div id="ui"></div><script src="standalone.js"></script>
      <script>Scalar.createApiReference("#ui", { url: "openapi.json", telemetry: false, withDefaultFonts: false })</script>`,
    fragmentOf: ({ group, method, path }: Operation) => `tag/${slugOf(group)}/${method.toUpperCase()}${path}`,
  },
  "Swagger UI": {
    package: "swagger-ui-dist@5.35.0",
    files: ["swagger-ui.css", "swagger-ui-bundle.js"],
    body: `<link rel="stylesheet" href="swagger-ui.css"><script src="swagger-ui-bundle.js"></script>
      <div id="ui"></div><script>SwaggerUIBundle({ url: "openapi.json", dom_id: "#ui", deepLinking: true })</script>`,
    fragmentOf: ({ group, operationId = "" }: Operation) => `/${encodeURIComponent(group)}/${operationId}`,
  },
  "Stoplight Elements": {
    package: "@stoplight/elements@9.0.25",
    files: ["styles.min.css", "web-components.min.js"],
    body: `<link rel="stylesheet" href="styles.min.css"><script src="web-components.min.js"></script>
      <elements-api apiDescriptionUrl="openapi.json" router="hash"></elements-api>`,
    fragmentOf: ({ operationId = "" }: Operation) => `/operations/${operationId}`,
  },
};

export const redocly = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");

/** Has each renderer write its page of a generation, with all that it loads, into a folder of its own in the given one. */
export async function writeOtherPages(folder: string, { document }: Generation, operation: Operation) {
  const makeFolder = async (name: string) => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "openapi.json"), JSON.stringify(document));
    return join(folder, name);
  };
  const { group, operationId = "" } = operation;
  await writeRedoc(await makeFolder("redoc"));
  const redoc = `redoc/#/${slugOf(group)}/${operationId.toLowerCase()}`;
  const pages: Record<string, MeasuredPage> = { Redoc: { address: redoc, searchDialog: ".overlay" } };
  for (const [name, renderer] of Object.entries(renderers)) {
    const slug = slugOf(name);
    await writePage(await makeFolder(slug), renderer.package, renderer.files, renderer.body);
    const address = `${slug}/#${renderer.fragmentOf(operation)}`;
    pages[name] = { address, searchDialog: name === "Scalar" ? "[role=dialog]" : undefined };
  }
  return pages;
}

/** The page that `redocly build-docs` makes, with its script from the installed package instead of another host. */
async function writeRedoc(folder: string): Promise<void> {
  await runProgram(process.execPath, [redocly, "build-docs", "openapi.json", "--output", "index.html"], folder);
  const script = "redoc.standalone.js";
  await cp(join(dirname(redocly), "../lib/chunks", script), join(folder, script));
  const page = join(folder, "index.html");
  const html = await readFile(page, "utf8");
  await writeFile(page, html.replaceAll(new RegExp(`https://[^"']*/${script}`, "g"), `./${script}`));
}

/** `npm pack` brings the package without what it depends on. */
async function writePage(folder: string, specifier: string, files: readonly string[], body: string): Promise<void> {
  const unpacked = await temporaryFolder();
  const archive = await runProgram("npm", ["pack", specifier, "--silent"], unpacked);
  await runProgram("tar", ["-xzf", archive.trim()], unpacked);
  for (const file of files) await cp(join(unpacked, "package", file), join(folder, basename(file)));
  const head = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">`;
  await writeFile(join(folder, "index.html"), head + body);
}
