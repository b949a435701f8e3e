import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { TextFile } from "../../command/files.ts";
import { bundleForBrowsers, type BundleOptions } from "../../mock/server/bundleForBrowsers.ts";
import { getOrCreate } from "../../values/collections.ts";

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
  // A nested rule needs the semicolon before it.
  const tight = plain.replaceAll(/ ?([{};,>~](?!=)) ?/g, "$1").replaceAll(/;(?=\})|\b0(?=\.)|(?<=:) /g, "");
  // Sums need their spaces, and selectors don't.
  return tight.replaceAll(/ \+ (?=[^;{}]*\{)/g, "+").replaceAll(/(?<==)"([a-z][\w-]*)"(?=])/gi, "$1");
}

/** The bundles of this process, by script and definitions. None depends on a contract, so sites share them. */
const bundles = new Map<string, Promise<string>>();

/** Bundles a script of the docs, with the styles of forms. */
export function bundleScript(name: string, { define, plugins }: BundleOptions = {}): Promise<string> {
  return getOrCreate(bundles, JSON.stringify([name, define]), async () => {
    const formStyles = await stylesExpression("try-it.css");
    return bundleForBrowsers(name, { define: { formStyles, ...define }, plugins });
  });
}
