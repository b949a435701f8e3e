import type { Location, Oas3Rule, UserContext } from "@redocly/openapi-core";
import { elementsOf, isObject, membersOf } from "../../spec/json.ts";
import { methods } from "../../spec/openapi.ts";
import { effects, readExpression } from "../../contract/resourceExtension.ts";
import { follow, keyOf, visitSchemas, type Node } from "../nodes.ts";

type FieldType = readonly [name: string, has: (value: unknown) => boolean];
const text: FieldType = ["text", (value) => typeof value === "string"];
const list: FieldType = ["a list of names", Array.isArray];
const map: FieldType = ["a map", isObject];
const operationFields = { name: text, effect: text, copies: text, set: map, moves: map };
const schemaFields = { name: text, properties: map, renews: list };
const known: readonly string[] = [...effects, "none"];

/** `x-resource` on an operation, and the operations that need one because nothing else says what they do. */
export const resourceOperation: Oas3Rule = () => ({
  Paths(paths: unknown, ctx) {
    const items = membersOf(paths).flatMap(([path, item]) => {
      const found = follow(item, ctx.location.child(path), ctx);
      return found === undefined ? [] : [{ path, ...found }];
    });
    for (const { path, node, location } of items) {
      for (const method of methods) {
        const operation = node[method];
        if (!isObject(operation)) continue;
        const extension = operation["x-resource"];
        const hasEffect = isObject(extension) && extension["effect"] !== undefined;
        if (!hasEffect && method === "post" && !followsFrom(path, operation, items)) {
          const message =
            "What this operation does to a resource does not follow from its path: name its `effect` in `x-resource`, " +
            `one of ${known.join(", ")}.`;
          ctx.report({ message, location: keyOf(location.child([method, "operationId"])) });
        }
        const report = reportAt(location.child([method, "x-resource"]), ctx);
        if (!hasFields(extension, operationFields, report)) continue;
        const parameters = [node, operation]
          .flatMap((one) => elementsOf(one["parameters"]))
          .map((parameter) => follow(parameter, location, ctx)?.node ?? {});
        checkOperation(extension, parameters, report);
      }
    }
  },
});

/** `x-resource` on the schema of a resource. */
export const resourceSchema: Oas3Rule = () =>
  visitSchemas((schema, ctx) => {
    const extension = schema["x-resource"];
    const report = reportAt(ctx.location.child("x-resource"), ctx);
    if (!hasFields(extension, schemaFields, report)) return;
    const declared = new Set<unknown>(membersOf(schema["properties"]).map(([name]) => name));
    const named = {
      properties: membersOf(extension["properties"]).map(([name]) => name),
      renews: elementsOf(extension["renews"]),
    };
    for (const [field, names] of Object.entries(named)) {
      const unknown = names.filter((name) => !declared.has(name));
      if (unknown.length > 0) report(`The schema has no property ${unknown.join(", ")}.`, [field]);
    }
  });

/** `field` is where in the extension. */
type Report = (message: string, field?: readonly string[]) => void;

function reportAt(place: Location, ctx: UserContext): Report {
  return (message, field = []) => {
    ctx.report({ message, location: keyOf(field.length === 0 ? place : place.child([...field])) });
  };
}

/** Tells whether there is an extension whose fields can be checked further, and reports those that are wrong. */
function hasFields(extension: unknown, fields: Readonly<Record<string, FieldType>>, report: Report): extension is Node {
  if (extension === undefined) return false;
  const all = Object.keys(fields).join(", ");
  if (!isObject(extension)) report(`\`x-resource\` is an object with some of ${all}.`);
  for (const [name, value] of membersOf(extension)) {
    const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (type === undefined) report(`\`${name}\` is no field of \`x-resource\` here: there are ${all}.`, [name]);
    else if (!type[1](value)) report(`\`${name}\` is ${type[0]}.`, [name]);
  }
  return isObject(extension);
}

function checkOperation(extension: Node, parameters: readonly Node[], report: Report): void {
  const { effect, copies, set, moves } = extension;
  if (typeof effect === "string" && !known.includes(effect)) {
    report(`\`effect\` is one of ${known.join(", ")}.`, ["effect"]);
  }
  const isDeclared = (place: string, name: unknown) =>
    parameters.some((parameter) => parameter["in"] === place && parameter["name"] === name);
  if (typeof copies === "string" && !isDeclared("path", copies)) {
    report("`copies` is the name of a path parameter of this operation.", ["copies"]);
  }
  for (const [name, value] of membersOf(set)) {
    if (typeof value !== "string" || !value.startsWith("$")) continue;
    const part = readExpression(value);
    if (part !== undefined && (part.in === "body" || isDeclared(part.in, part.name))) continue;
    const message = `"${value}" is not a runtime expression for a part of this operation's request, such as $request.path.id.`;
    report(message, ["set", name]);
  }
  if (membersOf(moves).some(([, value]) => typeof value !== "string")) {
    report("`moves` maps the name of a property to the name of the one that it moves along with.", ["moves"]);
  }
}

/** As `deriveEffect` in scripts/contract/resources.ts, without a look at bodies. */
function followsFrom(path: string, operation: Node, items: readonly { path: string; node: Node }[]): boolean {
  return (
    (isObject(operation["responses"]) && "201" in operation["responses"]) ||
    items.some((item) => item.path === path && "get" in item.node) ||
    items.some((item) => item.path.startsWith(`${path}/{`) && !item.path.slice(path.length + 1).includes("/"))
  );
}
