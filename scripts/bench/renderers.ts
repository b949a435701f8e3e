import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Generation, Operation } from "../contract/generation.ts";
import { slugOf } from "../contract/text.ts";

const run = promisify(execFile);

/** Another renderer, with its page for one bundle in a folder of its own. */
export interface Renderer {
  readonly name: string;
  /** Writes its page, and all that the page loads, into an empty folder. */
  readonly write: (folder: string, generation: Generation) => Promise<void>;
  /** Where that page shows an operation: its address, relative to the folder. */
  readonly addressOf: (operation: Operation) => string;
  /** Selects the dialog that Ctrl K opens; `undefined` where there is no search over operations. */
  readonly searchDialog: string | undefined;
}

export const redocly = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");

/** The others, as their own documentation embeds them. */
export const renderers: readonly Renderer[] = [
  {
    name: "Redoc",
    write: buildRedoc,
    addressOf: ({ group, operationId = "" }) => `#/${slugOf(group)}/${operationId.toLowerCase()}`,
    searchDialog: ".overlay",
  },
  packedRenderer({
    name: "Scalar",
    package: "@scalar/api-reference@1.72.1",
    files: ["dist/browser/standalone.js"],
    body: '<div id="ui"></div><script>Scalar.createApiReference("#ui", { url: "openapi.json", telemetry: false, withDefaultFonts: false })</script>',
    addressOf: ({ group, method, path }) => `#tag/${slugOf(group)}/${method.toUpperCase()}${path}`,
    searchDialog: "[role=dialog]",
  }),
  packedRenderer({
    name: "Swagger UI",
    package: "swagger-ui-dist@5.35.0",
    files: ["swagger-ui.css", "swagger-ui-bundle.js"],
    body: '<div id="ui"></div><script>SwaggerUIBundle({ url: "openapi.json", dom_id: "#ui", deepLinking: true })</script>',
    addressOf: ({ group, operationId = "" }) => `#/${encodeURIComponent(group)}/${operationId}`,
    searchDialog: undefined,
  }),
  packedRenderer({
    name: "Stoplight Elements",
    package: "@stoplight/elements@9.0.25",
    files: ["styles.min.css", "web-components.min.js"],
    body: '<elements-api apiDescriptionUrl="openapi.json" router="hash"></elements-api>',
    addressOf: ({ operationId = "" }) => `#/operations/${operationId}`,
    searchDialog: undefined,
  }),
];

/** The page that `redocly build-docs` makes, with its script from the installed package instead of another host. */
async function buildRedoc(folder: string, { document }: Generation): Promise<void> {
  const description = join(folder, "openapi.json");
  const page = join(folder, "index.html");
  await writeFile(description, JSON.stringify(document));
  await run(process.execPath, [redocly, "build-docs", description, "--output", page], { cwd: folder });
  const script = "redoc.standalone.js";
  await cp(join(dirname(redocly), "../lib/chunks", script), join(folder, script));
  const html = await readFile(page, "utf8");
  await writeFile(page, html.replaceAll(new RegExp(`https://[^"']*/${script}`, "g"), `./${script}`));
}

interface PackedRenderer extends Omit<Renderer, "write"> {
  /** In the npm registry, with its version. */
  readonly package: string;
  /** Files of the package that the page loads. */
  readonly files: readonly string[];
  readonly body: string;
}

/** A renderer that reads the description in the browser. `npm pack` brings the package without what it depends on. */
function packedRenderer({ package: specifier, files, body, ...renderer }: PackedRenderer): Renderer {
  const write = async (folder: string, { document }: Generation) => {
    const unpacked = join(folder, ".package");
    await mkdir(unpacked);
    const { stdout } = await run("npm", ["pack", specifier, "--silent", "--pack-destination", unpacked]);
    await run("tar", ["-xzf", join(unpacked, stdout.trim()), "-C", unpacked]);
    const names = files.map((file) => file.slice(file.lastIndexOf("/") + 1));
    for (const [index, file] of files.entries()) {
      await cp(join(unpacked, "package", file), join(folder, names[index] ?? ""));
    }
    await rm(unpacked, { recursive: true });
    await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
    const tags = names.map((file) =>
      file.endsWith(".css") ? `<link rel="stylesheet" href="${file}">` : `<script src="${file}"></script>`,
    );
    const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">`;
    await writeFile(
      join(folder, "index.html"),
      `<!doctype html><html lang="en"><head>${head}<title>${renderer.name}</title></head><body>${tags.join("")}${body}</body></html>`,
    );
  };
  return { ...renderer, write };
}
