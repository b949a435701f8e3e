import type { Location, Oas3Rule, UserContext } from "@redocly/openapi-core";
import { elementsOf, membersOf } from "../../spec/json.ts";
import { follow, reportOn, visitSchemas, type Node } from "../nodes.ts";

/** A schema, and the schemas that apply to the same value. */
interface Applied {
  readonly location: Location;
  readonly inner: readonly Node[];
}

/**
 * No schema contains itself through keywords that apply to the same value, because checking a value would never end
 * (JSON Schema 2020-12, section 9.4.1), and no type in TypeScript can have itself as an alternative.
 */
export const endlessSchema: Oas3Rule = () => {
  const schemas = new Map<Node, Applied>();
  return {
    ...visitSchemas((schema, ctx) => {
      const places = placesOf(schema, ctx.location);
      const inner = places
        .map(([value, location]) => follow(value, location, ctx)?.node)
        .filter((node) => node !== undefined);
      schemas.set(schema, { location: ctx.location, inner });
    }),
    Root: {
      leave(_: unknown, ctx: UserContext) {
        for (const { location } of findEndless(schemas)) reportOn(location, message, ctx);
      },
    },
  };
};

const message =
  "This schema contains itself for the same value, so checking it never ends. Use `properties` or `items` in between.";

/** The values of keywords that apply schemas to the same value, with their places. */
function placesOf(schema: Node, location: Location): readonly (readonly [value: unknown, location: Location])[] {
  const lists = ["allOf", "anyOf", "oneOf"].flatMap((keyword) =>
    elementsOf(schema[keyword]).map((value, index) => [value, location.child([keyword, index])] as const),
  );
  const single = ["not", "if", "then", "else"].map((keyword) => [schema[keyword], location.child(keyword)] as const);
  const dependent = membersOf(schema["dependentSchemas"]).map(
    ([name, value]) => [value, location.child(["dependentSchemas", name])] as const,
  );
  // Beside a reference, other keywords apply to the same value.
  const reference = "$ref" in schema ? [[{ $ref: schema["$ref"] }, location] as const] : [];
  return [...reference, ...lists, ...single, ...dependent];
}

/** The schemas at which a way through inner schemas comes back. Each schema is visited once, without recursion. */
function findEndless(schemas: ReadonlyMap<Node, Applied>): readonly Applied[] {
  const found = new Set<Applied>();
  const done = new Set<Node>();
  for (const start of schemas.keys()) {
    /** The way from the start to the current schema, with the inner schemas that weren't followed yet. */
    const way: { readonly schema: Node; readonly rest: Node[] }[] = [];
    const around = new Set<Node>();
    const enter = (schema: Node) => {
      const applied = schemas.get(schema);
      if (applied === undefined || done.has(schema)) return;
      if (around.has(schema)) found.add(applied);
      else way.push({ schema, rest: [...applied.inner] });
      around.add(schema);
    };
    enter(start);
    for (let current = way.at(-1); current !== undefined; current = way.at(-1)) {
      const next = current.rest.pop();
      if (next !== undefined) enter(next);
      else {
        way.pop();
        around.delete(current.schema);
        done.add(current.schema);
      }
    }
  }
  return [...found];
}
