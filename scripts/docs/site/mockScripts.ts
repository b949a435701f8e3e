import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";
import { prismLibraries } from "../../command/prismLibraries.ts";
import type { TextFile } from "../../command/files.ts";
import type { Generation } from "../../contract/generation.ts";
import { bundleScript, hashedFile } from "./assets.ts";

/** The scripts of the mock in the page. A form loads them when it needs them, also from `file://`. */
export interface MockScripts {
  /** The engine. It creates the mock as soon as the contract is loaded. */
  readonly engine: TextFile;
  /** The libraries that the engine loads from its folder. */
  readonly libraries: readonly TextFile[];
  /** The contract: a script for each generation, by name. */
  readonly documents: ReadonlyMap<string, TextFile>;
}

export async function makeMockScripts(generations: readonly Generation[]): Promise<MockScripts> {
  const [jsonSchemaFaker, fastXmlBuilder] = await Promise.all([
    libraryFile("mock-random", "jsonSchemaFaker.ts"),
    libraryFile("mock-xml", "fastXmlBuilder.ts"),
  ]);
  const libraryScripts = {
    jsonSchemaFaker: basename(jsonSchemaFaker.path),
    fastXmlBuilder: basename(fastXmlBuilder.path),
  };
  const engine = await bundleScript("mockInPage.ts", {
    define: { libraryScripts: JSON.stringify(libraryScripts) },
    plugins: [prismLibraries, librariesByScript],
  });
  return {
    engine: hashedFile("assets/mock", "js", engine),
    libraries: [jsonSchemaFaker, fastXmlBuilder],
    documents: new Map(generations.map((generation) => [generation.name, documentFile(generation)])),
  };
}

/** All scripts. */
export function allScripts({ engine, libraries, documents }: MockScripts): readonly TextFile[] {
  return [engine, ...libraries, ...documents.values()];
}

/** The names by which forms load the scripts, relative to their own script. */
export function scriptNames({ engine, documents }: MockScripts) {
  return { engine: basename(engine.path), documents: Array.from(documents.values(), ({ path }) => basename(path)) };
}

async function libraryFile(name: string, script: string): Promise<TextFile> {
  return hashedFile(`assets/${name}`, "js", await bundleScript(script));
}

/**
 * Browsers parse a text as JSON faster than the same data as code, and a key `__proto__` has a special
 * meaning in code.
 */
function documentFile({ name, document }: Generation): TextFile {
  const text = JSON.stringify(JSON.stringify(document));
  const content = `(window.docsMockDocuments??={})[${JSON.stringify(name)}]=JSON.parse(${text});\n`;
  return hashedFile(`assets/mock-${name}`, "js", content);
}

/** Makes the engine load its libraries as scripts. */
const librariesByScript: Plugin = {
  name: "libraries-by-script",
  resolveId: (source) =>
    basename(source) === "lazyLibraries.ts"
      ? fileURLToPath(new URL("../browser/mockLibraries.ts", import.meta.url))
      : undefined,
};
