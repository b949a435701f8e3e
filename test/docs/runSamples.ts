import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

// The package's clients stand in the project's own folder; no package need be made for the samples to run.
registerHooks({
  resolve: (specifier, context, next) => {
    const [, generation] = /^scheduling-service-api\/(.+)$/.exec(specifier) ?? [];
    return generation === undefined
      ? next(specifier, context)
      : next(new URL(`../../generated/${generation}/client.ts`, import.meta.url).href, context);
  },
});

/** Runs each program that is named on the command line; prints, after a NUL, the failures as JSON. */
const failures: string[] = [];
for (const file of process.argv.slice(2)) {
  await import(pathToFileURL(file).href).catch((error: unknown) => {
    failures.push(`${file}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  });
}
process.stdout.write(`\0${JSON.stringify(failures)}`);
