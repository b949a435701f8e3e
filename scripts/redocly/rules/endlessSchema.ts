import type { Location, Oas3Rule, UserContext } from "@redocly/openapi-core";
import { reachable } from "../../values/collections.ts";
import { elementsOf, membersOf } from "../../values/json.ts";
import { follow, reportOn, visitSchemas, type Node } from "../nodes.ts";

/** A schema, and the schemas inside of it. */
interface Applied {
  readonly location: Location;
  /** Those that apply to the same value. */
  readonly same: readonly Node[];
  /** Those that apply to the items of a list. */
  readonly items: readonly Node[];
}

/**
 * No schema contains itself through keywords that apply to the same value, because checking a value would never end
 * (JSON Schema 2020-12, section 9.4.1), and no type in TypeScript can have itself as an alternative.
 */
export const endlessSchema: Oas3Rule = () => {
  const message = "This schema contains itself for the same value, so checking it never ends.";
  return rule((schemas) => [
    findEndless(schemas, ({ same }) => same),
    `${message} Use \`properties\` or \`items\` in between.`,
  ]);
};

/**
 * No list contains itself without an object in between. A value can, but TypeScript has no type for it among the members of
 * an object, such as the `components` of `types.ts`.
 */
export const listOfItself: Oas3Rule = () => {
  const message = "This list contains itself without an object in between, for which there is no type in TypeScript.";
  return rule((schemas) => {
    const endless = findEndless(schemas, ({ same }) => same);
    const found = findEndless(schemas, ({ same, items }) => [...same, ...items]);
    return [found.filter((one) => !endless.includes(one)), `${message} Use \`properties\` in between.`];
  });
};

/** A rule that collects all schemas, and then reports what `find` finds among them. */
function rule(find: (schemas: ReadonlyMap<Node, Applied>) => readonly [found: readonly Applied[], message: string]) {
  const schemas = new Map<Node, Applied>();
  return {
    ...visitSchemas((schema, ctx) => {
      const nodesAt = (places: readonly LocatedValue[]) =>
        places.map(([value, location]) => follow(value, location, ctx)?.node).filter((node) => node !== undefined);
      const { location } = ctx;
      const items = placesOf(schema, location, ["prefixItems"], ["items"]);
      schemas.set(schema, { location, same: nodesAt(placesOfSame(schema, location)), items: nodesAt(items) });
    }),
    Root: {
      leave(_: unknown, ctx: UserContext) {
        const [found, message] = find(schemas);
        for (const { location } of found) reportOn(location, message, ctx);
      },
    },
  };
}

type LocatedValue = readonly [value: unknown, location: Location];

/** The values of keywords, or the items of their lists, with their places. */
function placesOf(
  schema: Node,
  location: Location,
  lists: readonly string[],
  keywords: readonly string[],
): readonly LocatedValue[] {
  const items = lists.flatMap((keyword) =>
    elementsOf(schema[keyword]).map((value, index) => [value, location.child([keyword, index])] as const),
  );
  return [...items, ...keywords.map((keyword) => [schema[keyword], location.child(keyword)] as const)];
}

/** The schemas that apply to the same value, with their places. */
function placesOfSame(schema: Node, location: Location): readonly LocatedValue[] {
  const applied = placesOf(schema, location, ["allOf", "anyOf", "oneOf"], ["not", "if", "then", "else"]);
  const dependent = membersOf(schema["dependentSchemas"]).map(
    ([name, value]) => [value, location.child(["dependentSchemas", name])] as const,
  );
  // Beside a reference, other keywords apply to the same value.
  const reference = "$ref" in schema ? [[{ $ref: schema["$ref"] }, location] as const] : [];
  return [...reference, ...applied, ...dependent];
}

/** The schemas that are among their inner ones, and those inside these: one of each circle. */
function findEndless(
  schemas: ReadonlyMap<Node, Applied>,
  innerOf: (schema: Applied) => readonly Node[],
): readonly Applied[] {
  const nodesIn = (node: Node) => {
    const applied = schemas.get(node);
    return applied === undefined ? [] : innerOf(applied);
  };
  const circles = new Map<Node, ReadonlySet<Node>>();
  for (const node of schemas.keys()) {
    const inside = reachable(nodesIn(node), nodesIn);
    const isKnown = () => [...circles].some(([other, around]) => inside.has(other) && around.has(node));
    if (inside.has(node) && !isKnown()) circles.set(node, inside);
  }
  return [...circles.keys()].flatMap((node) => schemas.get(node) ?? []);
}
