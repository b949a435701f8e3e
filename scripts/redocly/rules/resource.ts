import type { Location, Oas3Rule, UserContext } from "@redocly/openapi-core";
import {
  effects,
  readExpression,
  readOperationExtension,
  readSchemaExtension,
} from "../../contract/resourceExtension.ts";
import { createsByPost } from "../../contract/resources.ts";
import { elementsOf, isObject, membersOf, valueAt } from "../../values/json.ts";
import { operationsIn } from "../../spec/openapi.ts";
import { respondsWithList } from "../localSchema.ts";
import { follow, reportOn, visitSchemas, type Node } from "../nodes.ts";

/**
 * The names in an operation's `x-resource` exist. It is there if nothing else determines the operation's
 * effect.
 */
export const resourceOperation: Oas3Rule = () => ({
  Paths: {
    PathItem(item: unknown, ctx, { Paths: paths }) {
      if (!isObject(item)) return;
      for (const { method, operation } of operationsIn(item)) {
        if (!isObject(operation)) continue;
        const place = ctx.location.child(method);
        const { effect } = readOperationExtension(operation);
        if (method === "post" && effect === undefined && !isCreate(operation, item, paths, ctx)) {
          reportOn(place.child("operationId"), unknownEffect, ctx);
        }
        checkNames(operation, item, place, ctx);
      }
    },
  },
});

const unknownEffect =
  "The effect of this operation on a resource does not follow from its path: add `effect` to `x-resource`, " +
  `one of ${effects.join(", ")}, none.`;

/** Reports unknown parameter names, and values that look like expressions but aren't. */
function checkNames(operation: Node, item: Node, place: Location, ctx: UserContext): void {
  const { copies, set } = readOperationExtension(operation);
  const listed = [...elementsOf(item["parameters"]), ...elementsOf(operation["parameters"])];
  const parameters = listed.map((parameter) => follow(parameter, ctx.location, ctx)?.node ?? {});
  const isDeclared = (carrier: string, name: string) =>
    parameters.some((parameter) => parameter["in"] === carrier && parameter["name"] === name);
  if (copies !== undefined && !isDeclared("path", copies)) {
    const message = "`copies` must be the name of a path parameter of this operation.";
    reportOn(place.child(["x-resource", "copies"]), message, ctx);
  }
  for (const [name, value] of Object.entries(set)) {
    const part = readExpression(value);
    const isFound = part?.in === "body" || (part !== undefined && isDeclared(part.in, part.name));
    if (isFound || !String(value).startsWith("$")) continue;
    const message = `"${String(value)}" is not a runtime expression for a part of this operation's request, such as $request.path.id.`;
    reportOn(place.child(["x-resource", "set", name]), message, ctx);
  }
}

/** The names in a schema's `x-resource` exist. */
export const resourceSchema: Oas3Rule = () =>
  visitSchemas((schema, ctx) => {
    const { properties, renews } = readSchemaExtension(schema);
    for (const [field, names] of Object.entries({ properties: [...properties.keys()], renews })) {
      const unknown = names.filter((name) => valueAt(schema, ["properties", name]) === undefined);
      if (unknown.length === 0) continue;
      reportOn(ctx.location.child(["x-resource", field]), `The schema has no property ${unknown.join(", ")}.`, ctx);
    }
  });

function isCreate(post: object, item: Node, paths: unknown, ctx: UserContext): boolean {
  const followHere = (value: unknown, at: Location) => follow(value, at, ctx);
  return createsByPost({
    path: String(ctx.key),
    paths: membersOf(paths).map(([path]) => path),
    statuses: membersOf(valueAt(post, ["responses"])).map(([status]) => status),
    isListed: [post, item["get"]].some((one) => respondsWithList(one, ctx.location, followHere)),
  });
}
