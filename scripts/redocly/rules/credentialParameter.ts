import type { Oas3Rule } from "@redocly/openapi-core";
import { isObject, membersOf } from "../../spec/json.ts";
import { follow, type Node } from "../nodes.ts";

/** Headers that carry credentials in HTTP itself (RFC 9110, section 11; RFC 6265, section 4.2). */
const credentialHeaders = ["header authorization", "header proxy-authorization", "header cookie"];

/** A credential is a security scheme and never also a parameter. */
export const credentialParameter: Oas3Rule = () => {
  /** Names of security schemes by what they send: `header x-key`. */
  const schemes = new Map<string, string>();
  return {
    Root(root: unknown, ctx) {
      const components = isObject(root) ? root["components"] : undefined;
      for (const [name, reference] of membersOf(isObject(components) ? components["securitySchemes"] : undefined)) {
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
