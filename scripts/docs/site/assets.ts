import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown, type Plugin } from "rolldown";
import type { TextFile } from "../../command/files.ts";
import { recall } from "../../values/collections.ts";

/** The files that all pages load. Their names have digests, so browsers may cache them forever. */
export async function readAssets(mark: string) {
  const [base, own, fontBytes, script, search, tryIt, steps, filter] = await Promise.all([
    readStatic("base.css"),
    readStatic("site.css"),
    readStatic("hanken-grotesk.woff2", "base64"),
    bundleScript("everyPage.ts"),
    bundleScript("search.ts"),
    bundleScript("tryIt.ts"),
    bundleScript("runSteps.ts"),
    bundleScript("filter.ts"),
  ]);
  const font = { ...hashedFile("assets/hanken-grotesk", "woff2", fontBytes), encoding: "base64" } as const;
  return {
    // Without a folder, since they are beside each other.
    styles: hashedFile(
      "assets/site",
      "css",
      minifyStyles(base + own).replace("hanken-grotesk.woff2", basename(font.path)),
    ),
    font,
    icon: hashedFile("assets/mark", "svg", mark),
    script: hashedFile("assets/site", "js", script),
    search: hashedFile("assets/search", "js", search),
    tryIt: hashedFile("assets/try-it", "js", tryIt),
    steps: hashedFile("assets/steps", "js", steps),
    filter: hashedFile("assets/filter", "js", filter),
  };
}

/** A file whose name changes with its content. */
export function hashedFile(name: string, extension: string, content: string): TextFile {
  const digest = createHash("sha256").update(content).digest("hex").slice(0, 12);
  return { path: `${name}-${digest}.${extension}`, content };
}

/** A file beside this module, as text. */
export function readStatic(name: string, encoding: "utf8" | "base64" = "utf8"): Promise<string> {
  return readFile(new URL(name, import.meta.url), encoding);
}

/** Styles beside this module, as an expression for a script's bundle. */
export async function stylesExpression(name: string): Promise<string> {
  return JSON.stringify(minifyStyles(await readStatic(name)));
}

/** Removes comments and insignificant whitespace from styles. Their strings contain neither. */
function minifyStyles(styles: string): string {
  const plain = styles.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/\s+/g, " ");
  const tight = plain.replaceAll(/;? ?([{};,>~](?!=)) ?/g, "$1").replaceAll(/\b0(?=\.)|(?<=:) /g, "");
  // Sums need their spaces, and selectors don't.
  return tight.replaceAll(/ \+ (?=[^;{}]*\{)/g, "+").replaceAll(/(?<==)"([a-z][\w-]*)"(?=])/gi, "$1");
}

interface BundleOptions {
  readonly define?: Readonly<Record<string, string>>;
  readonly plugins?: readonly Plugin[];
}

/** The bundles of this process, by script and definitions. None depends on a contract, so sites share them. */
const bundles = new Map<string, Promise<string>>();

/** Bundles a script of `docs/browser`. It isn't a module, because browsers don't load modules from `file://`. */
export function bundleScript(name: string, options: BundleOptions = {}): Promise<string> {
  return recall(bundles, JSON.stringify([name, options.define]), () => makeBundle(name, options));
}

async function makeBundle(name: string, { define = {}, plugins = [] }: BundleOptions): Promise<string> {
  const formStyles = await stylesExpression("try-it.css");
  await using build = await rolldown({
    input: fileURLToPath(new URL(`../browser/${name}`, import.meta.url)),
    platform: "browser",
    tsconfig: false,
    // Removes unused imports.
    treeshake: { moduleSideEffects: false },
    transform: { define: { formStyles, ...define } },
    plugins: [...plugins],
    // Slow bundling on a busy machine needs no warning.
    checks: { bundlerTimings: false },
    onLog: (_, log) => {
      throw new Error(log.message);
    },
  });
  const { output } = await build.generate({ format: "iife", minify: true });
  return output[0].code;
}
