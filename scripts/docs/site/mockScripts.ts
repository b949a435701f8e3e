import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";
import { prismLibraries } from "./prismLibraries.ts";
import type { TextFile } from "../../command/files.ts";
import type { Generation, Operation } from "../../contract/generation.ts";
import type { ListedPart } from "../browser/mockPartList.ts";
import { dataScript } from "../model/tryItData.ts";
import { bundleScript, hashedFile } from "./assets.ts";
import { divideContract, type MockPart } from "./mockParts.ts";

/** The scripts of the mock in the page. A form loads them when it needs them, also from `file://`. */
export interface MockScripts {
  /** The engine. It creates the mock as soon as the contract is loaded. */
  readonly engine: TextFile;
  /** The libraries that the engine loads from its folder. */
  readonly libraries: readonly TextFile[];
  /** The list of the parts of the contract. */
  readonly list: TextFile;
  /** A script for each of them. */
  readonly parts: readonly PartScript[];
}

interface PartScript extends Pick<MockPart, "operations"> {
  readonly listed: ListedPart;
  readonly file: TextFile;
}

/** Makes the scripts for a contract. A part of it has about `partSize` operations. */
export async function makeMockScripts(generations: readonly Generation[], partSize = 100): Promise<MockScripts> {
  const jsonSchemaFaker = hashedFile("assets/mock-random", "js", await bundleScript("jsonSchemaFaker.ts"));
  const engine = await bundleScript("mockInPage.ts", {
    define: { jsonSchemaFakerScript: JSON.stringify(basename(jsonSchemaFaker.path)) },
    plugins: [prismLibraries, librariesByScript],
  });
  const parts = divideContract(generations, partSize).map(partScript);
  const listed = parts.map((part) => part.listed);
  return {
    engine: hashedFile("assets/mock", "js", engine),
    libraries: [jsonSchemaFaker],
    list: hashedFile("assets/mock-parts", "js", dataScript("window.docsMockPartList=", listed)),
    parts,
  };
}

/** All scripts. */
export function allScripts({ engine, libraries, list, parts }: MockScripts): readonly TextFile[] {
  return [engine, ...libraries, list, ...parts.map(({ file }) => file)];
}

/**
 * The names of the scripts that a page loads before its first request: the engine, the list of parts, and the part of an
 * operation. They are beside the page's own script. The mock loads other parts itself.
 */
export function scriptNames({ engine, list, parts }: MockScripts, operation?: Operation) {
  const own = parts.filter(({ operations }) => operation !== undefined && operations.includes(operation));
  const documents = [list, ...own.map(({ file }) => file)].map(({ path }) => basename(path));
  return { engine: basename(engine.path), documents };
}

function partScript({ operations, types, documents }: MockPart, index: number): PartScript {
  const text = dataScript(`(window.docsMockParts??={})[${index}]=`, documents);
  const file = hashedFile(`assets/mock-part-${index}`, "js", text);
  const paths = [...new Set(operations.map(({ path }) => path))];
  return { operations, file, listed: { script: basename(file.path), paths, types } };
}

/** Makes the engine load its libraries as scripts. */
const librariesByScript: Plugin = {
  name: "libraries-by-script",
  resolveId: (source) =>
    basename(source) === "lazyLibraries.ts"
      ? fileURLToPath(new URL("../browser/mockLibraries.ts", import.meta.url))
      : undefined,
};
