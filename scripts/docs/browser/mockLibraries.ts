import type { lazyLibraries as modules } from "../../mock/content/lazyLibraries.ts";
import { UserError } from "../../contract/failures.ts";
import { recall } from "../../values/collections.ts";
import { loadScript } from "./loadScript.ts";
import { addressBeside } from "./scriptAddress.ts";

type Modules = { readonly [Name in keyof typeof modules]: Awaited<ReturnType<(typeof modules)[Name]>> };

declare global {
  interface Window {
    /** The libraries that have been loaded. */
    docsMockLibraries?: Partial<Modules>;
  }
}

/** The names of the libraries' scripts, which are beside this one. The bundler sets it. */
declare const libraryScripts: Readonly<Record<keyof Modules, string>>;

const loading = new Map<string, Promise<boolean>>();

/** Replaces the mock's own module of libraries, because browsers load no modules from `file://`. */
export const lazyLibraries = {
  jsonSchemaFaker: () => load("jsonSchemaFaker"),
};

async function load<Name extends keyof Modules>(name: Name): Promise<Modules[Name]> {
  const address = addressBeside(libraryScripts[name]);
  const isLoaded = await recall(loading, name, () => loadScript(address));
  const library = window.docsMockLibraries?.[name];
  if (isLoaded && library !== undefined) return library;
  // The next attempt loads it again.
  loading.delete(name);
  throw new UserError(`a part of it couldn't be loaded from ${address}`);
}
