import type { Oas3Rule } from "@redocly/openapi-core";
import { elementsOf, isObject } from "../../spec/json.ts";
import { follow, keyOf } from "../nodes.ts";

/** `x-pagination` names two query parameters of its operation: `limit`, how many items, and `offset`, how many to skip. */
export const pagination: Oas3Rule = () => ({
  Operation(operation: unknown, ctx) {
    if (!isObject(operation) || operation["x-pagination"] === undefined) return;
    const names = isObject(operation["x-pagination"]) ? operation["x-pagination"] : {};
    const parameters = elementsOf(operation["parameters"])
      .map((parameter) => follow(parameter, ctx.location, ctx)?.node)
      .filter((parameter) => parameter !== undefined);
    for (const role of ["limit", "offset"]) {
      if (parameters.some(({ in: place, name }) => place === "query" && name === names[role])) continue;
      const message = `\`x-pagination\` needs \`${role}\`, the name of a query parameter of this operation.`;
      ctx.report({ message, location: keyOf(ctx.location.child(["x-pagination", role])) });
    }
  },
});
