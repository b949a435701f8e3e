import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const [clients = "{}", ...programs] = process.argv.slice(2);
const files: unknown = JSON.parse(clients);

// The samples' clients are modules in folders: no package need be made for the samples to run.
registerHooks({
  resolve: (specifier, context, next) => {
    const file: unknown = typeof files === "object" && files !== null ? Reflect.get(files, specifier) : undefined;
    return typeof file === "string" ? next(pathToFileURL(file).href, context) : next(specifier, context);
  },
});

/**
 * Runs programs one after the other; prints, after a NUL, the failures as JSON. The first argument says, as JSON, which
 * file each client is imported from, and the others are the programs.
 */
const failures: string[] = [];
for (const file of programs) {
  await import(pathToFileURL(file).href).catch((error: unknown) => {
    failures.push(`${file}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  });
}
process.stdout.write(`\0${JSON.stringify(failures)}`);
