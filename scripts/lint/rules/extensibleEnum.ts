import type { Oas3Rule } from "@redocly/openapi-core";
import { isObject } from "../../contract/document.ts";
import { keyOf, typesOf, visitSchemas } from "../nodes.ts";

/** `x-extensible-enum` lists the values seen so far: at least one, each once, each of the schema's type. */
export const extensibleEnum: Oas3Rule = () =>
  visitSchemas((schema, ctx) => {
    const values = schema["x-extensible-enum"];
    if (values === undefined) return;
    const place = ctx.location.child("x-extensible-enum");
    const closing = ["enum", "const"].find((name) => name in schema);
    if (closing !== undefined) {
      ctx.report({
        message: `A set of values is either open or closed: take \`x-extensible-enum\` or \`${closing}\` away.`,
        location: keyOf(place),
      });
    }
    if (!Array.isArray(values) || values.length === 0) {
      ctx.report({ message: "`x-extensible-enum` has to be a list of at least one value.", location: place });
      return;
    }
    const types = typesOf(schema);
    for (const [index, value] of values.entries()) {
      const written = JSON.stringify(value);
      if (values.indexOf(value) < index) {
        ctx.report({ message: `${written} is listed twice: take one away.`, location: place.child(index) });
      }
      if (types.length > 0 && !types.some((type) => fits(value, type))) {
        ctx.report({
          message: `${written} is not of the schema's type (${types.join(", ")}): correct the value or the type.`,
          location: place.child(index),
        });
      }
    }
  });

/** Whether a value is of a type as JSON Schema names it (2020-12 Validation, section 6.1.1). */
function fits(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return typeof value === type;
}
