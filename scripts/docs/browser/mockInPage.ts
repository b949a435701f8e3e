/* The mock inside the page. The contract is in separate scripts, which may be loaded before or after it. */
import { byVersion, readGeneration } from "../../contract/generation.ts";
import { createMockEngine, type MockEngineOptions } from "../../mock/engine/mockEngine.ts";
import { isObject, mapMembers, membersOf } from "../../values/json.ts";
import type { OpenApiDocument } from "../../spec/openapi.ts";
import { loadScript } from "./loadScript.ts";
import { partsOfPath, partsOfTypes, type Documents, type ListedPart } from "./mockPartList.ts";
import { addressBeside } from "./scriptAddress.ts";

declare global {
  interface Window {
    /** All parts of the contract. */
    docsMockPartList?: readonly ListedPart[];
    /** The documents of the loaded parts, by their positions in the list. */
    docsMockParts?: Readonly<Record<number, Documents>>;
    /** Makes a mock of the loaded parts, which loads others when needed. Throws as {@link createMockEngine} does. */
    createDocsMock: typeof createDocsMock;
  }
}

/** The mock in the page. */
export type DocsMock = ReturnType<typeof createDocsMock>;

window.createDocsMock = createDocsMock;

function createDocsMock(options: Omit<MockEngineOptions, "generations">) {
  const engine = createMockEngine({ ...options, generations: readLoaded() }, { warn: console.warn });
  const list = window.docsMockPartList ?? [];
  const served = new Set(Object.keys(window.docsMockParts ?? {}));
  const loadMissing = async (parts: readonly ListedPart[]) => {
    const missing = parts.filter((part) => !served.has(String(list.indexOf(part))));
    if (missing.length === 0) return;
    const loaded = await Promise.all(missing.map(({ script }) => loadScript(addressBeside(script))));
    if (loaded.includes(false))
      throw new Error("A part of the mock couldn't be loaded. Send the request again to retry.");
    engine.replace(readLoaded());
    for (const part of missing) served.add(String(list.indexOf(part)));
  };
  // Loads one at a time, so that a script that is still loading isn't taken for a loaded one.
  let last: Promise<unknown> = Promise.resolve();
  const load = async (parts: readonly ListedPart[]) => {
    const loading = last.then(() => loadMissing(parts));
    last = loading.catch(() => undefined);
    await loading;
  };
  return {
    ...engine,
    fetch: async (...args: Parameters<typeof engine.fetch>) => {
      const request = new Request(...args);
      await load(partsOfPath(list, new URL(request.url).pathname));
      return engine.fetch(request);
    },
    /** Loads the parts of the contract for the resources of a state. Rejects if loading fails. */
    loadTypes: (state: unknown) => {
      const types = isObject(state) ? membersOf(state["resources"]).map(([type]) => type) : [];
      return load(partsOfTypes(list, types));
    },
  };
}

function readLoaded() {
  const documents = new Map<string, OpenApiDocument>();
  for (const part of Object.values(window.docsMockParts ?? {}))
    for (const [name, document] of Object.entries(part)) {
      const known = documents.get(name);
      documents.set(name, known === undefined ? document : unitedDocument(known, document));
    }
  return Array.from(documents, ([name, document]) => readGeneration(name, document)).sort(byVersion);
}

function unitedDocument(one: OpenApiDocument, other: OpenApiDocument): OpenApiDocument {
  const components = mapMembers({ ...one.components, ...other.components }, (_, kind) => ({
    ...Object.fromEntries(membersOf(isObject(one.components) && one.components[kind])),
    ...Object.fromEntries(membersOf(isObject(other.components) && other.components[kind])),
  }));
  return { ...one, paths: { ...one.paths, ...other.paths }, components };
}
