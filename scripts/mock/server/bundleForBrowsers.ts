import { fileURLToPath } from "node:url";
import { rolldown, type Plugin } from "rolldown";

export interface BundleOptions {
  readonly define?: Readonly<Record<string, string>> | undefined;
  readonly plugins?: readonly Plugin[] | undefined;
}

/** Bundles a script of `docs/browser`. It isn't a module, because browsers don't load modules from `file://`. */
export async function bundleForBrowsers(name: string, { define = {}, plugins = [] }: BundleOptions = {}) {
  await using build = await rolldown({
    input: fileURLToPath(new URL(`../../docs/browser/${name}`, import.meta.url)),
    platform: "browser",
    tsconfig: false,
    // Removes unused imports.
    treeshake: { moduleSideEffects: false },
    transform: { define },
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
