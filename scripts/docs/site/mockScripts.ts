import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";
import { prismLibraries } from "../../command/prismLibraries.ts";
import type { TextFile } from "../../command/files.ts";
import type { Generation } from "../../contract/generation.ts";
import { bundleScript, hashedFile } from "./assets.ts";

/** The scripts of the mock in the page, which a form loads when it needs them. Pages load them from `file://`, too. */
export interface MockScripts {
  /** The engine. It makes the mock once the contract is there, too. */
  readonly engine: TextFile;
  /** What the engine loads by itself, from beside it. */
  readonly libraries: readonly TextFile[];
  /** The contract: a script for each generation, by its name. */
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

/** All of them. */
export function allScripts({ engine, libraries, documents }: MockScripts): readonly TextFile[] {
  return [engine, ...libraries, ...documents.values()];
}

/** The names that forms load them by, from beside their own script. */
export function scriptNames({ engine, documents }: MockScripts) {
  return { engine: basename(engine.path), documents: Array.from(documents.values(), ({ path }) => basename(path)) };
}

async function libraryFile(name: string, script: string): Promise<TextFile> {
  return hashedFile(`assets/${name}`, "js", await bundleScript(script));
}

/** Browsers read a text as JSON faster than the same as a program, and a key `__proto__` means something else in a program. */
function documentFile({ name, document }: Generation): TextFile {
  const text = JSON.stringify(JSON.stringify(document));
  const content = `(window.docsMockDocuments??={})[${JSON.stringify(name)}]=JSON.parse(${text});\n`;
  return hashedFile(`assets/mock-${name}`, "js", content);
}

/** Has the engine load its libraries as scripts. */
const librariesByScript: Plugin = {
  name: "libraries-by-script",
  resolveId: (source) =>
    basename(source) === "lazyLibraries.ts"
      ? fileURLToPath(new URL("../browser/mockLibraries.ts", import.meta.url))
      : undefined,
};
