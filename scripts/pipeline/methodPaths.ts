import ts from "typescript";
import { isObject, mapMembers, pointerKeys, valueAt } from "../spec/json.ts";
import { isReference, methods, operationsIn, type OpenApiDocument } from "../spec/openapi.ts";
import { recall } from "../contract/text.ts";
import { propertyName } from "../samples/javaScriptText.ts";

/** Separates a path from a method in the names of added paths. No path has it. */
const mark = "\n";

/**
 * Adds a path for each operation of a method that only OpenAPI 3.2 has, with the operation as its `get`, because
 * openapi-typescript (7.13) leaves these methods out. `prepared` is a copy of the document. {@link joinMethodPaths} undoes
 * it in the types.
 */
export function withMethodPaths(document: OpenApiDocument, prepared: unknown): unknown {
  const added: Record<string, unknown> = {};
  for (const [path, referenced] of Object.entries(document.paths ?? {})) {
    const keys = isReference(referenced) ? pointerKeys(referenced.$ref) : ["paths", path];
    const item = valueAt(prepared, keys);
    for (const { method, operation } of operationsIn(item)) {
      if (isMethod(method)) continue;
      added[path] = item;
      added[path + mark + method] = { parameters: valueAt(item, ["parameters"]), get: operation };
    }
  }
  return mapMembers(prepared, (member, name) =>
    name === "paths" && isObject(member) ? { ...member, ...added } : member,
  );
}

/** Moves the operations of added paths in the interface `paths` to the paths that they belong to. */
export function joinMethodPaths(statement: ts.Node): ts.Node {
  if (!ts.isInterfaceDeclaration(statement) || statement.name.text !== "paths") return statement;
  const added = new Map<string, ts.PropertySignature[]>();
  const paths = statement.members.filter((member) => {
    const [path = "", method] = nameOf(member).split(mark);
    const operation = membersOf(member).find((one) => nameOf(one) === "get");
    if (method === undefined || operation === undefined || !ts.isPropertySignature(operation)) return true;
    const { modifiers, questionToken, type } = operation;
    const isIdentifier = propertyName(method) === method;
    const name = isIdentifier ? ts.factory.createIdentifier(method) : ts.factory.createStringLiteral(method);
    const renamed = ts.factory.updatePropertySignature(operation, modifiers, name, questionToken, type);
    recall(added, path, () => []).push(renamed);
    return false;
  });
  const members = paths.map((path) => {
    const own = added.get(nameOf(path));
    if (own === undefined || !ts.isPropertySignature(path)) return path;
    const type = ts.factory.createTypeLiteralNode([...membersOf(path), ...own]);
    return ts.factory.updatePropertySignature(path, path.modifiers, path.name, path.questionToken, type);
  });
  const { modifiers, name, typeParameters, heritageClauses } = statement;
  return ts.factory.updateInterfaceDeclaration(statement, modifiers, name, typeParameters, heritageClauses, members);
}

function isMethod(method: string): boolean {
  return methods.some((known) => known === method);
}

function nameOf({ name }: ts.TypeElement): string {
  return name !== undefined && !ts.isComputedPropertyName(name) ? name.text : "";
}

/** The members of a property's object type. Empty for any other type. */
function membersOf(property: ts.TypeElement): readonly ts.TypeElement[] {
  return ts.isPropertySignature(property) && property.type !== undefined && ts.isTypeLiteralNode(property.type)
    ? property.type.members
    : [];
}
