import { UserError } from "../../contract/failures.ts";
import type { lazyLibraries as modules } from "../../mock/content/lazyLibraries.ts";
import { loadScript } from "./loadScript.ts";
import { addressBeside } from "./scriptAddress.ts";

declare global {
  interface Window {
    /** The library, once it has been loaded. */
    jsonSchemaFaker?: Awaited<ReturnType<typeof modules.jsonSchemaFaker>>;
  }
}

/** The name of the library's script, which is beside this one. The bundler sets it. */
declare const jsonSchemaFakerScript: string;

let loading: Promise<boolean> | undefined;

/** Replaces the mock's own module of libraries, because browsers load no modules from `file://`. */
export const lazyLibraries = {
  jsonSchemaFaker: async () => {
    const address = addressBeside(jsonSchemaFakerScript);
    loading ??= loadScript(address);
    if ((await loading) && window.jsonSchemaFaker !== undefined) return window.jsonSchemaFaker;
    // The next attempt loads it again.
    loading = undefined;
    throw new UserError(`a part of it couldn't be loaded from ${address}`);
  },
};
