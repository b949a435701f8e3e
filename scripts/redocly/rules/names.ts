import type { Oas3Rule } from "@redocly/openapi-core";
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
