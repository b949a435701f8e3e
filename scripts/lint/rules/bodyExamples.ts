import type { Oas3Rule, UserContext } from "@redocly/openapi-core";
import { isObject } from "../../contract/document.ts";
import { follow, isJson, keyOf, membersOf, saysNothingOfType } from "../nodes.ts";

/** Every JSON body whose schema says something has at least one entry in `examples`. */
export const bodyExamples: Oas3Rule = () => ({ RequestBody: check, Response: check });

function check(body: unknown, ctx: UserContext): void {
  if (!isObject(body)) return;
  for (const [mediaType, content] of membersOf(body["content"])) {
    if (!isJson(mediaType) || !isObject(content) || membersOf(content["examples"]).length > 0) continue;
    const schema = follow(content["schema"], ctx.location, ctx)?.node;
    if (schema === undefined || saysNothingOfType(schema)) continue;
    ctx.report({
      message: "A body with a schema needs an example: add one under `examples`, with a name and a `summary`.",
      location: keyOf(ctx.location.child(["content", mediaType])),
    });
  }
}
