import type { Oas3Rule } from "@redocly/openapi-core";
import { isOfType, typesOf } from "../../spec/schemas.ts";
import { keyOf, visitSchemas } from "../nodes.ts";

/** A closed set of values (`enum`, `const`) carries the reason why it is closed, in `x-closed-enum`. */
export const closedEnum: Oas3Rule = () =>
  visitSchemas((schema, ctx) => {
    const keyword = ["enum", "const"].find((name) => name in schema);
    const reason = schema["x-closed-enum"];
    const place = ctx.location.child("x-closed-enum");
    if (keyword === undefined && reason === undefined) return;
    if (keyword === undefined) {
      const message = "`x-closed-enum` needs an `enum` or `const` beside it: remove it.";
      ctx.report({ message, location: keyOf(place) });
    } else if (reason === undefined) {
      const message =
        `\`${keyword}\` closes the set of values: say in \`x-closed-enum\` what shows that there are no others, ` +
        "or use `x-extensible-enum`.";
      ctx.report({ message, location: keyOf(ctx.location.child(keyword)) });
    } else if (typeof reason !== "string" || !/\w/.test(reason)) {
      const message = "`x-closed-enum` must say in a few words why the set of values is closed.";
      ctx.report({ message, location: place });
    }
  });

/** `x-extensible-enum` lists the values seen so far: at least one, each once, each of the schema's type. */
export const extensibleEnum: Oas3Rule = () =>
  visitSchemas((schema, ctx) => {
    const values = schema["x-extensible-enum"];
    if (values === undefined) return;
    const place = ctx.location.child("x-extensible-enum");
    const closing = ["enum", "const"].find((name) => name in schema);
    if (closing !== undefined) {
      const message = `A set of values is either open or closed: remove \`x-extensible-enum\` or \`${closing}\`.`;
      ctx.report({ message, location: keyOf(place) });
    }
    if (!Array.isArray(values) || values.length === 0) {
      ctx.report({ message: "`x-extensible-enum` must be a list of at least one value.", location: place });
      return;
    }
    const types = typesOf(schema);
    for (const [index, value] of values.entries()) {
      const written = JSON.stringify(value);
      if (values.indexOf(value) < index) {
        ctx.report({ message: `${written} is listed twice: remove one of them.`, location: place.child(index) });
      }
      if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
        const message = `${written} is not of the schema's type (${types.join(", ")}): correct the value or the type.`;
        ctx.report({ message, location: place.child(index) });
      }
    }
  });
