import type { Oas3Rule } from "@redocly/openapi-core";
import { elementsOf, isObject, membersOf } from "../../spec/json.ts";
import { methods } from "../../spec/openapi.ts";
import { effects, readExpression } from "../../contract/resourceExtension.ts";
import { follow, keyOf, visitSchemas, type Node } from "../nodes.ts";

const [text, list, names] = ["text", "a list of names", "a map"];
/** What the members of `x-resource` are. */
const operationFields = { name: text, effect: text, copies: text, set: names, moves: names };
const schemaFields = { name: text, properties: names, renews: list };

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
        const place = location.child([method, "x-resource"]);
        const report: Report = (message, field = []) => {
          ctx.report({ message, location: keyOf(field.length === 0 ? place : place.child([...field])) });
        };
        const extension = operation["x-resource"];
        const hasEffect = isObject(extension) && extension["effect"] !== undefined;
        if (!hasEffect && method === "post" && !followsFrom(path, operation, items)) {
          const message =
            "What this operation does to a resource does not follow from its path: name its `effect` in `x-resource`, " +
            `one of ${[...effects, "none"].join(", ")}.`;
          ctx.report({ message, location: keyOf(location.child([method, "operationId"])) });
        }
        if (extension === undefined) continue;
        checkFields(extension, operationFields, report);
        if (!isObject(extension)) continue;
        const parameters = [...elementsOf(node["parameters"]), ...elementsOf(operation["parameters"])].map(
          (parameter) => follow(parameter, location, ctx)?.node ?? {},
        );
        checkOperation(extension, parameters, report);
      }
    }
  },
});

/** `x-resource` on the schema of a resource. */
export const resourceSchema: Oas3Rule = () =>
  visitSchemas((schema, ctx) => {
    const extension = schema["x-resource"];
    if (extension === undefined) return;
    const place = ctx.location.child("x-resource");
    const report: Report = (message, field = []) => {
      ctx.report({ message, location: keyOf(field.length === 0 ? place : place.child([...field])) });
    };
    checkFields(extension, schemaFields, report);
    if (!isObject(extension)) return;
    const declared = new Set(membersOf(schema["properties"]).map(([name]) => name));
    for (const [field, names] of [
      ["properties", membersOf(extension["properties"]).map(([name]) => name)],
      ["renews", elementsOf(extension["renews"])],
    ] as const) {
      const unknown = names.filter((name) => typeof name !== "string" || !declared.has(name));
      if (unknown.length > 0) report(`The schema has no property ${unknown.join(", ")}.`, [field]);
    }
  });

/** `field` is where in the extension. */
type Report = (message: string, field?: readonly string[]) => void;

function checkFields(extension: unknown, fields: Readonly<Record<string, string>>, report: Report): void {
  if (!isObject(extension)) report(`\`x-resource\` is an object with some of ${Object.keys(fields).join(", ")}.`);
  for (const [name, value] of membersOf(extension)) {
    const expected = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (expected === undefined) {
      report(`\`${name}\` is no field of \`x-resource\` here: there are ${Object.keys(fields).join(", ")}.`, [name]);
    } else if (
      !(expected === text ? typeof value === "string" : expected === list ? Array.isArray(value) : isObject(value))
    ) {
      report(`\`${name}\` is ${expected}.`, [name]);
    }
  }
}

function checkOperation(extension: Node, parameters: readonly Node[], report: Report): void {
  const { effect, copies, set, moves } = extension;
  const known = [...effects, "none"];
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
    report(`"${value}" is not a runtime expression for a part of this operation's request, such as $request.path.id.`, [
      "set",
      name,
    ]);
  }
  if (membersOf(moves).some(([, value]) => typeof value !== "string")) {
    report("`moves` maps the name of a property to the name of the one that it moves along with.", ["moves"]);
  }
}

/** As `deriveEffect` in scripts/contract/resources.ts, without a look at bodies. */
function followsFrom(
  path: string,
  operation: Node,
  items: readonly { readonly path: string; readonly node: Node }[],
): boolean {
  return (
    (isObject(operation["responses"]) && "201" in operation["responses"]) ||
    items.some((item) => item.path === path && "get" in item.node) ||
    items.some((item) => item.path.startsWith(`${path}/{`) && !item.path.slice(path.length + 1).includes("/"))
  );
}
