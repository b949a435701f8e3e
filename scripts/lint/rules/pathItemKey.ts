import type { Oas3Rule } from "@redocly/openapi-core";
import { componentName, isReference } from "../../contract/document.ts";
import { membersOf } from "../nodes.ts";

/** A path that refers to a path item under another file's `paths` has the same key there. */
export const pathItemKey: Oas3Rule = () => ({
  Paths(paths: unknown, ctx) {
    for (const [path, item] of membersOf(paths)) {
      if (!isReference(item) || !/#\/paths\/[^/]+$/.test(item.$ref)) continue;
      const key = componentName(item.$ref);
      if (key === path) continue;
      ctx.report({
        message: `The path is "${path}" here and "${key}" in the file that it refers to: make the two the same.`,
        location: ctx.location.child([path, "$ref"]),
      });
    }
  },
});
