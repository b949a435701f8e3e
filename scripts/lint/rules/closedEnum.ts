import type { Oas3Rule } from "@redocly/openapi-core";
import { keyOf, visitSchemas } from "../nodes.ts";

/** A closed set of values (`enum`, `const`) carries the reason why it is closed, in `x-closed-enum`. */
export const closedEnum: Oas3Rule = () =>
  visitSchemas((schema, ctx) => {
    const keyword = ["enum", "const"].find((name) => name in schema);
    const reason = schema["x-closed-enum"];
    const place = ctx.location.child("x-closed-enum");
    if (keyword === undefined) {
      if (reason === undefined) return;
      ctx.report({
        message: "`x-closed-enum` stands without `enum` or `const`: take it away.",
        location: keyOf(place),
      });
    } else if (reason === undefined) {
      ctx.report({
        message:
          `\`${keyword}\` closes the set of values: say in \`x-closed-enum\` what shows that no other value comes, ` +
          "or use `x-extensible-enum`.",
        location: keyOf(ctx.location.child(keyword)),
      });
    } else if (typeof reason !== "string" || !/\w/.test(reason)) {
      ctx.report({
        message: "`x-closed-enum` has to say in a few words why the set of values is closed.",
        location: place,
      });
    }
  });
