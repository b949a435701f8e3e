import type { Oas3Rule } from "@redocly/openapi-core";
import { elementsOf, isObject, membersOf } from "../../spec/json.ts";
import { valueAt } from "../../spec/jsonPointer.ts";
import { follow, keyOf, type Node } from "../nodes.ts";

/** Headers that carry credentials in HTTP itself (RFC 9110, section 11; RFC 6265, section 4.2). */
const credentialHeaders = ["header authorization", "header proxy-authorization", "header cookie"];

/** A credential is a security scheme and never also a parameter. */
export const credentialParameter: Oas3Rule = () => {
  /** Names of security schemes by what they send: `header x-key`. */
  const schemes = new Map<string, string>();
  return {
    Root(root: unknown, ctx) {
      for (const [name, reference] of membersOf(valueAt(root, ["components", "securitySchemes"]))) {
        const scheme = follow(reference, ctx.location, ctx)?.node;
        if (scheme?.["type"] === "apiKey") schemes.set(carrierOf(scheme), name);
      }
    },
    Parameter(parameter: unknown, ctx) {
      if (!isObject(parameter)) return;
      const carrier = carrierOf(parameter);
      const scheme = schemes.get(carrier);
      if (scheme === undefined && !credentialHeaders.includes(carrier)) return;
      const message =
        scheme === undefined
          ? "This header carries a credential: describe it as a security scheme and use `security`."
          : `This is what the security scheme "${scheme}" sends: remove the parameter and use \`security\`.`;
      ctx.report({ message, location: ctx.location.child("name") });
    },
  };
};

/** Where a value travels; the name of a header is the same in any case. */
function carrierOf({ in: place, name }: Node): string {
  const carrier = `${String(place)} ${String(name)}`;
  return place === "header" ? carrier.toLowerCase() : carrier;
}

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
