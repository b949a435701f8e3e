import type { Oas3Rule, UserContext } from "@redocly/openapi-core";
import { elementsOf, isObject, membersOf } from "../../spec/json.ts";
import { valueAt } from "../../spec/jsonPointer.ts";
import { lifecycleDays, lifecycleOf } from "../../spec/lifecycle.ts";
import { follow, reportOn, visitSchemas, type Node } from "../nodes.ts";

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
    const parameters = elementsOf(operation["parameters"]).map((one) => follow(one, ctx.location, ctx)?.node);
    for (const role of ["limit", "offset"]) {
      const named = valueAt(operation, ["x-pagination", role]);
      if (parameters.some((one) => one?.["in"] === "query" && one["name"] === named)) continue;
      const message = `\`x-pagination\` needs \`${role}\`, the name of a query parameter of this operation.`;
      reportOn(ctx.location.child(["x-pagination", role]), message, ctx);
    }
  },
});

/** `x-deprecated-on` and `x-sunset` are in that order, and only of what is deprecated. */
export const deprecation: Oas3Rule = () => ({
  Operation(operation: unknown, ctx) {
    if (isObject(operation)) checkDays(operation, operation["deprecated"] === true, ctx);
  },
  Info(info: unknown, ctx) {
    // A whole generation is deprecated by the day alone.
    if (isObject(info)) checkDays(info, lifecycleDays.deprecatedOn in info, ctx, lifecycleDays.deprecatedOn);
  },
  ...visitSchemas((schema, ctx) => {
    checkDays(schema, schema["deprecated"] === true, ctx);
  }),
});

function checkDays(node: Node, isDeprecated: boolean, ctx: UserContext, remedy = "`deprecated: true`"): void {
  const { deprecatedOn, sunset } = lifecycleDays;
  const [key] = [deprecatedOn, sunset].filter((name) => name in node);
  if (key === undefined) return;
  if (!isDeprecated) reportOn(ctx.location.child(key), `Only what is deprecated has this: add ${remedy}.`, ctx);
  const { deprecatedOn: from = "", sunset: to = from } = lifecycleOf(node);
  if (to < from) reportOn(ctx.location.child(sunset), `This day is before the one of ${deprecatedOn}, ${from}.`, ctx);
}
