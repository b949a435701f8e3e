import { getLineColLocation, type Location, type Oas3Rule } from "@redocly/openapi-core";
import { basename, extname, relative } from "node:path";
import { compareText } from "../../contract/text.ts";
import { lastKey } from "../../spec/jsonPointer.ts";
import { keyOf } from "../nodes.ts";

/** A component schema's name, in whatever file, is PascalCase: it becomes a type's name in TypeScript. */
export const schemaName: Oas3Rule = () => ({
  Schema(_: unknown, ctx) {
    if (!/^#\/components\/schemas\/[^/]+$/.test(ctx.location.pointer)) return;
    const name = lastKey(ctx.location.pointer);
    if (/^[A-Z][A-Za-z0-9]*$/.test(name)) return;
    const message = `The schema's name "${name}" becomes a type's name: write it in PascalCase, letters and digits only.`;
    ctx.report({ message, location: keyOf(ctx.location) });
  },
});

/** Redocly's names of what the bundler makes components of. */
const bundledTypes = new Set("Schema Parameter Response Example RequestBody Header Link Callback".split(" "));

/**
 * Components of one kind have different names, in whatever files they are. In a bundle they would meet: Redocly's
 * bundler (2.64) then renames all but one (`Team-2`), or keeps only one if they read the same, although their references
 * may lead to different things. Redocly's own rule `component-name-unique` leaves out examples, headers and links.
 */
export const uniqueNames: Oas3Rule = () => {
  const definitions = new Map<string, Map<string, Location>>();
  return {
    ref(reference, ctx) {
      if (!bundledTypes.has(ctx.type.name)) return;
      const { location, chain } = ctx.resolve(reference);
      // A reference with keywords beside it is a component of its own, and the first hop of the chain.
      const place = chain?.[0]?.location ?? location;
      if (place === undefined) return;
      // A reference to a whole file makes a component with the file's name.
      const key = lastKey(place.pointer) || basename(place.source.absoluteRef, extname(place.source.absoluteRef));
      const name = `${ctx.type.name} ${key}`;
      const places = definitions.get(name) ?? new Map<string, Location>();
      definitions.set(name, places.set(place.absolutePointer, place));
    },
    Root: {
      leave(_: unknown, ctx) {
        for (const [name, places] of definitions) {
          const [first, ...others] = [...places].sort(([a], [b]) => compareText(a, b)).map(([, place]) => place);
          if (first === undefined) continue;
          const { source, start } = getLineColLocation(keyOf(first));
          const file = relative(process.cwd(), source.absoluteRef);
          for (const place of others) {
            const message =
              `${name} is also defined at ${file}:${start.line}:${start.col}: rename one of the two, or define it ` +
              "once, in a file that both places refer to.";
            ctx.report({ message, location: keyOf(place) });
          }
        }
      },
    },
  };
};
