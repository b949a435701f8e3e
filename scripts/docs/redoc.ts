import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { messageOf, UserError } from "../contract/failures.ts";
import type { OpenApiDocument } from "../contract/openapi.ts";

/** Options of Redoc 3 that hold for the prerendered first screen and for the page alike. */
export type RedocOptions = Readonly<Record<string, unknown>>;

const packageFolder = dirname(fileURLToPath(import.meta.resolve("@redocly/cli/package.json")));

/**
 * Prerenders a document with `redocly build-docs`: its styles, and the inside of the element that the renderer takes
 * over. That command's own page (@redocly/cli 2.77) loads the renderer's
 * script from another host, and its links work only at the root of a host: so only its parts are taken.
 */
export async function prerender(document: OpenApiDocument, options: RedocOptions) {
  // Outside the project, so that the command does not find and check redocly.yaml.
  const folder = await mkdtemp(join(tmpdir(), "reference-"));
  try {
    await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
    await writeFile(join(folder, "options.json"), JSON.stringify(options));
    await writeFile(join(folder, "template.hbs"), "{{{redocHead}}}{{{redocHTML}}}");
    await promisify(execFile)(
      process.execPath,
      [
        ...[join(packageFolder, "bin", "cli.js"), "build-docs", "openapi.json"],
        ...["--template", "template.hbs", "--openapi", "options.json", "--output", "page.html"],
      ],
      { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
    );
    return takeApart(await readFile(join(folder, "page.html"), "utf8"));
  } catch (error) {
    throw new UserError(`redocly build-docs failed: ${messageOf(error)}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function takeApart(page: string) {
  const style = /<style data-styled[^>]*>(.*?)<\/style>/s.exec(page)?.[1];
  const markup = /<div id="redoc">(.*)<\/div>\s*<script type="module">/s.exec(page)?.[1];
  if (style === undefined || markup === undefined) throw new Error("its page is not like that of Redoc 3.0");
  return {
    style,
    // In the browser the renderer finds its place by the fragment, and a link to "/" would leave the site.
    markup: markup.replaceAll('href="/', 'href="#/'),
  };
}

/** What is changed in the renderer's script (Redoc 3.0.1), each with how often it occurs. */
const changes: readonly (readonly [from: string, to: string, count: number])[] = [
  // A module cannot be loaded from file://; what it exports are then global names.
  ["export{RedocStandalone,hydrate,init};", "", 1],
  // Only a module may say `import.meta`. It is in a search library's branches for web workers, which are not used.
  ["import.meta.", "({}).", 4],
  // The logo beside "API docs by" would be fetched from another host.
  ["https://cdn.redoc.ly/redoc/logo-mini-full.svg", wordAsImage("Redocly", 46), 1],
  ["https://cdn.redoc.ly/redoc/logo-mini.svg", wordAsImage("R", 10), 1],
];

/** The renderer's script as the pages load it: a classic script that defines `hydrate`, and asks no other host. */
export async function rendererScript(): Promise<string> {
  let script = await readFile(join(packageFolder, "lib", "chunks", "redoc.standalone.js"), "utf8");
  for (const [from, to, count] of changes) {
    const pieces = script.split(from);
    if (pieces.length !== count + 1) {
      throw new UserError(
        `the script of @redocly/cli has "${from}" ${pieces.length - 1} times, not ${count}: see scripts/docs/redoc.ts`,
      );
    }
    script = pieces.join(to);
  }
  return script;
}

function wordAsImage(word: string, width: number): string {
  const text = `<text y='10' font-family='sans-serif' font-size='11' fill='#808080'>${word}</text>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='12'>${text}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
