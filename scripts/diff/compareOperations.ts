import { isDeepStrictEqual } from "node:util";
import type { Generation, Operation } from "../contract/generation.ts";
import { elementsOf, membersOf, parseJson, stringsOf } from "../spec/json.ts";
import { jsonPointer, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import { methods } from "../spec/openapi.ts";
import { createComparison, type Compared, type Difference } from "./compareObjects.ts";
import { follow, membersIn, type Members, type Spot } from "./fields.ts";

type Comparison = ReturnType<typeof createComparison>;

/** Compares all that two states of a generation say. */
export function compareContents(before: Generation, after: Generation): readonly Compared[] {
  const comparison = createComparison();
  const schemes = renamedSchemes(before.document, after.document);
  for (const field of ["operations", "webhooks"] as const) {
    const former = new Map(before[field].map((operation) => [templateOf(operation.name), operation]));
    for (const operation of after[field]) {
      const old = former.get(templateOf(operation.name));
      former.delete(templateOf(operation.name));
      const by: Compared = { name: operation.name, uses: [], differences: [], isReversed: field === "webhooks" };
      comparison.all.push(by);
      if (old === undefined) by.differences.push(presence(operation, "added"));
      else compareOperation(comparison, by, old, operation, schemes);
    }
    for (const operation of former.values()) {
      comparison.all.push({ name: operation.name, uses: [], differences: [presence(operation, "removed")] });
    }
  }
  const whole: Compared = { name: "", uses: [], differences: [] };
  comparison.all.push(whole);
  const [first, second] = [before, after].map(({ document }): Spot => ({ document, pointer: "", value: document }));
  if (first !== undefined && second !== undefined) comparison.compareFields(first, second, whole);
  return comparison.all;
}

function presence({ pathItemPointer, method }: Operation, kind: "added" | "removed"): Difference {
  const [effect, pointer] = [kind === "added" ? "gained" : "replaced", `${pathItemPointer}/${method}`] as const;
  return { effect, kind, topic: "operation", pointer, message: `The operation was ${kind}.` };
}

function compareOperation(
  { compare, compareFields, compareMembers }: Comparison,
  by: Compared,
  old: Operation,
  operation: Operation,
  schemes: ReadonlyMap<string, string>,
): void {
  if (old.path !== operation.path) {
    const message = `The path parameters of \`${old.path}\` have other names: \`${operation.path}\`.`;
    by.differences.push(renaming(jsonPointer(["paths", operation.path]), message));
  }
  const [before, after] = [spotOf(old), spotOf(operation)];
  const renamed = compareMembers("parameters", parametersOf(old), parametersOf(operation), by, after);
  const nameOf = (spot: Spot) => `:${JSON.stringify(valueAt(follow(spot).value, ["name"]))}`;
  const paging = renamed.reduce(
    (text, { from, to }) => text.replaceAll(nameOf(from), nameOf(to)),
    JSON.stringify(valueAt(before.value, ["x-pagination"]) ?? null),
  );
  compareFields(
    { ...before, value: { ...Object(before.value), "x-pagination": parseJson(paging) ?? undefined } },
    after,
    by,
  );
  // Servers and texts of a path are those of each of its operations.
  const [item, other] = [pathItemOf(old), pathItemOf(operation)];
  compareFields(item, other, by);
  compareSecurity(by, old, operation, schemes);
  for (const [name, former] of schemesOf(old)) {
    const scheme = schemesOf(operation).get(schemes.get(name) ?? name);
    if (scheme !== undefined) compare(former, scheme, { by, field: "security", directions: ["request", "response"] });
  }
}

function renaming(pointer: string, message: string): Difference {
  return { effect: "replaced", kind: "changed", topic: "name", pointer, message };
}

/** A path with numbers for the names of its parameters, which mean nothing to HTTP. */
function templateOf(path: string): string {
  let position = 0;
  return path.replaceAll(/\{[^{}]+\}/g, () => `{${(position += 1)}}`);
}

function spotOf({ document, pathItemPointer, method }: Operation): Spot {
  const pointer = `${pathItemPointer}/${method}`;
  return { document, pointer, value: omit(valueAt(document, pointerKeys(pointer)), ["parameters"]) };
}

function pathItemOf({ document, pathItemPointer: pointer }: Operation): Spot {
  return { document, pointer, value: omit(valueAt(document, pointerKeys(pointer)), ["parameters", ...methods]) };
}

function omit(value: unknown, fields: readonly string[]): object {
  return Object.fromEntries(membersOf(value).filter(([field]) => !fields.includes(field)));
}

/** Those of the path item and of the operation, which override the former; those of the path by their positions. */
function parametersOf({ document, pathItemPointer, method, path }: Operation): Members {
  const names = (path.match(/(?<=\{)[^{}]+(?=\})/g) ?? []).map((name) => `path ${name}`);
  const all = [pathItemPointer, `${pathItemPointer}/${method}`].flatMap((pointer) => {
    const list = valueAt(document, [...pointerKeys(pointer), "parameters"]);
    return [...(membersIn({ document, pointer, value: {} }, "parameters", list) ?? [])];
  });
  return new Map(all.map(([label, spot]) => [names.includes(label) ? String(names.indexOf(label)) : label, spot]));
}

/** The new names of security schemes that have become no others, by the old ones. */
function renamedSchemes(before: object, after: object): ReadonlyMap<string, string> {
  const [old, current] = [before, after].map(
    (document) => new Map(membersOf(valueAt(document, ["components", "securitySchemes"]))),
  );
  const added = [...(current ?? [])].filter(([name]) => old?.has(name) === false);
  return new Map(
    [...(old ?? [])].flatMap(([name, scheme]) => {
      const [successor] = added.find(([, other]) => isDeepStrictEqual(scheme, other)) ?? [];
      return current?.has(name) === true || successor === undefined ? [] : [[name, successor]];
    }),
  );
}

function schemesOf({ document, security }: Operation): Members {
  return new Map(
    security.flat().map(({ name }) => {
      const pointer = jsonPointer(["components", "securitySchemes", name]);
      return [name, { document, pointer, value: valueAt(document, pointerKeys(pointer)) }];
    }),
  );
}

/** Whoever has the credentials that one alternative asks for has those of another that asks for no more. */
function compareSecurity(by: Compared, old: Operation, operation: Operation, schemes: ReadonlyMap<string, string>) {
  const [before, after] = [alternativesOf(old, schemes), alternativesOf(operation)];
  const own = `${operation.pathItemPointer}/${operation.method}/security`;
  const pointer =
    valueAt(operation.document, pointerKeys(own)) === undefined &&
    valueAt(old.document, [...pointerKeys(spotOf(old).pointer), "security"]) === undefined
      ? "/security"
      : own;
  const tell = (effect: Difference["effect"], message: string) =>
    by.differences.push({
      effect,
      kind: effect === "gained" ? "added" : "removed",
      topic: "security",
      pointer,
      message,
    });
  for (const [from, to] of schemes) {
    if (old.security.flat().some(({ name }) => name === from))
      by.differences.push(
        renaming(
          jsonPointer(["components", "securitySchemes", to]),
          `The security scheme \`${from}\` was renamed to \`${to}\`.`,
        ),
      );
  }
  const lost = before.filter((one) => !after.some((other) => asksNoMore(other, one)));
  const gained = after.filter((one) => !before.some((other) => asksNoMore(other, one)));
  for (const one of lost)
    tell(
      "replaced",
      one.size === 0 ? "Credentials are now required." : `No longer enough to authenticate: ${listCredentials(one)}.`,
    );
  for (const one of gained)
    tell(
      "gained",
      one.size === 0 ? "Credentials are now optional." : `Enough to authenticate now: ${listCredentials(one)}.`,
    );
}

type Credentials = ReadonlyMap<string, readonly string[]>;

function alternativesOf(
  { document, pathItemPointer, method }: Operation,
  names: ReadonlyMap<string, string> = new Map(),
): readonly Credentials[] {
  const own = valueAt(document, [...pointerKeys(`${pathItemPointer}/${method}`), "security"]);
  const all = elementsOf(own ?? valueAt(document, ["security"]));
  const read = all.map(
    (one) => new Map(membersOf(one).map(([name, scopes]) => [names.get(name) ?? name, stringsOf(scopes)])),
  );
  return read.length === 0 ? [new Map()] : read;
}

function asksNoMore(one: Credentials, other: Credentials): boolean {
  return [...one].every(
    ([name, scopes]) => scopes.every((scope) => other.get(name)?.includes(scope)) && other.has(name),
  );
}

function listCredentials(one: Credentials): string {
  const texts = [...one].map(([name, scopes]) => `\`${name}\`${scopes.length === 0 ? "" : ` (${scopes.join(", ")})`}`);
  return texts.join(" with ");
}
