import type { Location, Oas3Rule, UserContext } from "@redocly/openapi-core";
import { isJson } from "../../spec/mediaTypes.ts";
import { createOpenMatch } from "../../exchange/openAlternatives.ts";
import { unlessUnusable } from "../../exchange/validator.ts";
import { elementsOf, isObject, membersOf } from "../../values/json.ts";
import { isSchema } from "../../spec/openapi.ts";
import { alternativesOf } from "../../spec/schemas.ts";
import { isUntyped } from "../../spec/schemaKeywords.ts";
import { localSchema } from "../localSchema.ts";
import { follow, reportOn, type Node } from "../nodes.ts";

/**
 * Samples, the mock and the tests have their examples: an entry in `examples` for every JSON body with a
 * meaningful schema, an `example` for every required parameter, and an `x-example` for every security scheme.
 */
export const examples: Oas3Rule = () => ({
  RequestBody: checkBody,
  Response: checkBody,
  Parameter: checkParameter,
  SecurityScheme: checkScheme,
});

function checkParameter(parameter: unknown, ctx: UserContext): void {
  if (!isObject(parameter) || parameter["required"] !== true || "example" in parameter) return;
  const schema = follow(parameter["schema"], ctx.location, ctx)?.node ?? {};
  if ("const" in schema || "default" in schema) return;
  const message = "A required parameter needs an `example`: samples and the contract's tests send it.";
  reportOn(ctx.location, message, ctx);
}

function checkScheme(scheme: unknown, ctx: UserContext): void {
  if (!isObject(scheme) || scheme["type"] === "mutualTLS") return;
  const example = scheme["x-example"];
  if (typeof example === "string" && (!isBasic(scheme) || example.includes(":"))) return;
  const such = isBasic(scheme) ? " such as `user:password`" : "";
  const message = `A security scheme needs an \`x-example\`${such}: samples and the contract's tests send it.`;
  reportOn(ctx.location, message, ctx);
}

function isBasic({ type, scheme }: Node): boolean {
  return type === "http" && String(scheme).toLowerCase() === "basic";
}

function checkBody(body: unknown, ctx: UserContext): void {
  if (!isObject(body)) return;
  for (const [mediaType, content] of membersOf(body["content"])) {
    if (!isJson(mediaType) || !isObject(content)) continue;
    const place = ctx.location.child(["content", mediaType]);
    checkOpenMatches(content, place, ctx);
    if (membersOf(content["examples"]).length > 0) continue;
    const schema = follow(content["schema"], ctx.location, ctx)?.node;
    if (schema === undefined || isUntyped(schema)) continue;
    const message = "A body with a schema needs an example: add one under `examples`, with a name and a `summary`.";
    reportOn(place, message, ctx);
  }
}

/** An alternative without fields accepts any object. An example has to fit one of those that list fields. */
function checkOpenMatches(content: Node, place: Location, ctx: UserContext): void {
  const found = follow(content["schema"], place.child("schema"), ctx);
  const members = [found?.node["anyOf"], found?.node["oneOf"]].flatMap(elementsOf);
  // Other rules report members that aren't schemas.
  if (found === undefined || members.length < 2 || !members.every(isSchema)) return;
  const { schema, document } = localSchema(found.node, found.location, (value, at) => follow(value, at, ctx));
  const describe = unlessUnusable(
    () => createOpenMatch(alternativesOf(document, schema), document),
    () => undefined,
  );
  for (const [name, example] of membersOf(content["examples"])) {
    const listed = place.child(["examples", name]);
    const shown = follow(example, listed, ctx);
    const match = unlessUnusable(
      () => describe?.(shown?.node["value"]),
      () => undefined,
    );
    if (match !== undefined)
      reportOn(listed, `The example ${match}. Write an example for an alternative that lists fields.`, ctx);
  }
}
