import type { Oas3Rule } from "@redocly/openapi-core";
import { keyOf, visitSchemas } from "../nodes.ts";

/** Keywords of JSON Schema that change what is valid, and that scripts/client/schema.ts cannot check: they are rare. */
export const uncheckedKeywords = [
  ...["$dynamicRef", "contains", "dependentRequired", "dependentSchemas", "if", "patternProperties", "prefixItems"],
  ...["propertyNames", "unevaluatedItems", "unevaluatedProperties"],
];

/** A schema has no keyword for whose sake generated schemas leave it out. */
export const checkableSchema: Oas3Rule = () =>
  visitSchemas((schema, ctx) => {
    for (const keyword of uncheckedKeywords.filter((name) => name in schema)) {
      const message =
        `Generated schemas cannot check \`${keyword}\`: they leave out the component or the body that it is part of, and ` +
        "accept any value where something refers to that.";
      ctx.report({ message, location: keyOf(ctx.location.child(keyword)) });
    }
  });
