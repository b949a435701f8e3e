import type { Oas3Rule, UserContext } from "@redocly/openapi-core";
import { METHODS } from "node:http";
import { membersOf, valueAt } from "../../spec/json.ts";
import { reportOn } from "../nodes.ts";

/** Fields that OpenAPI 3.2 adds and that nothing here reads, although they say what is sent. By the types of objects. */
const unread: Readonly<Record<string, readonly string[]>> = {
  Root: ["$self"],
  Components: ["mediaTypes"],
  Discriminator: ["defaultMapping"],
  Encoding: ["encoding", "prefixEncoding", "itemEncoding"],
  Example: ["dataValue", "serializedValue"],
  MediaType: ["itemSchema", "prefixEncoding", "itemEncoding"],
  OAuth2Flows: ["deviceAuthorization"],
  Xml: ["nodeType"],
};

/** Fields that OpenAPI 3.2 adds for readers, and that the docs don't show. */
const unshown: Readonly<Record<string, readonly string[]>> = {
  Response: ["summary"],
  SecurityScheme: ["deprecated", "oauth2MetadataUrl"],
  Server: ["name"],
};

/** Fields of OpenAPI 3.2 that would be ignored, and methods that can't be received. */
export const unreadField: Oas3Rule = () => ({
  any: {
    enter(node: unknown, ctx: UserContext) {
      if (ctx.specVersion !== "oas3_2") return;
      reportFields(node, unread, "is not supported here yet: describe it without this field", ctx);
      if (ctx.type.name === "Parameter" && valueAt(node, ["in"]) === "querystring") {
        const message = "`querystring`, which is new in OpenAPI 3.2, is not supported here yet: list the parameters.";
        ctx.report({ message, location: ctx.location.child("in") });
      }
      for (const [method] of membersOf(ctx.type.name === "PathItem" && valueAt(node, ["additionalOperations"]))) {
        checkMethod(method, ctx);
      }
    },
  },
});

/** Fields of OpenAPI 3.2 that readers won't see. */
export const unshownField: Oas3Rule = () => ({
  any: {
    enter(node: unknown, ctx: UserContext) {
      if (ctx.specVersion === "oas3_2") reportFields(node, unshown, "is not shown in the docs", ctx);
    },
  },
});

function reportFields(node: unknown, fields: typeof unread, problem: string, ctx: UserContext): void {
  for (const field of fields[ctx.type.name] ?? []) {
    if (valueAt(node, [field]) === undefined) continue;
    reportOn(ctx.location.child(field), `\`${field}\`, which is new in OpenAPI 3.2, ${problem}.`, ctx);
  }
}

/** Reports a method of `additionalOperations` that has a field of its own, or that Node.js doesn't receive. */
function checkMethod(method: string, ctx: UserContext): void {
  const location = ctx.location.child(["additionalOperations", method]);
  const field = [...ownMethods].find((own) => own === method.toUpperCase());
  if (field !== undefined) {
    reportOn(location, `${method} has the field \`${field.toLowerCase()}\`: move the operation there.`, ctx);
  } else if (!additionalMethods.includes(method)) {
    reportOn(location, `Servers in Node.js can't receive ${method}: use one of ${additionalMethods.join(", ")}.`, ctx);
  }
}

const ownMethods = new Set("GET PUT POST DELETE OPTIONS HEAD PATCH TRACE QUERY".split(" "));
/** A CONNECT opens a tunnel, and has no response that could be described (RFC 9110, section 9.3.6). */
const additionalMethods = METHODS.filter((method) => method !== "CONNECT" && !ownMethods.has(method));
