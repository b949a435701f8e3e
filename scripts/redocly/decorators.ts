import type { Location, Oas3Decorator, UserContext } from "@redocly/openapi-core";
import { unknownGroup } from "../contract/gaps.ts";
import { elementsOf, isObject, membersOf, objectsOf, stringsOf, valueAt } from "../spec/json.ts";
import { lifecycleDays } from "../spec/lifecycle.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { isUntyped, schemaKeywords } from "../spec/schemaKeywords.ts";
import { typesOf } from "../spec/schemas.ts";
import { follow, visitSchemas, type Node } from "./nodes.ts";

/**
 * Names in a bundle, in `x-unspecified`, each gap that shows in how the contract is written; CONTRIBUTING.md has the list.
 * It runs in the same walk as the bundler, which has put every component in its place when the root is left.
 */
export const nameGaps: Oas3Decorator = () => {
  let documentSecurity: unknown;
  const schemas = new Set<Node>();
  const responseBodies = new Set<Node>();
  const requestData = new Set<Node>();
  const alternatives = new Set<Node>();
  /** Schemas that describe no value of their own, or say no more than none at all if they are empty. */
  const unlimited = new Set<unknown>();

  /** Collects a request's schemas, however deep; but not through `allOf`, whose parts may rely on a common `required`. */
  function collectRequestData(value: unknown, location: Location, ctx: UserContext): void {
    const found = follow(value, location, ctx);
    if (found === undefined || requestData.has(found.node)) return;
    requestData.add(found.node);
    const { properties, items, additionalProperties, anyOf, oneOf } = found.node;
    const members = membersOf(properties).map(([, property]) => property);
    for (const child of [...members, ...elementsOf(anyOf), ...elementsOf(oneOf), items, additionalProperties]) {
      collectRequestData(child, found.location, ctx);
    }
  }

  function gapsOfSchema(schema: Node): string[] {
    const untyped = responseBodies.has(schema) ? "response body" : "type";
    const hasProperties = membersOf(schema["properties"]).length > 0;
    return [
      ...(isUntyped(schema) && !unlimited.has(schema) ? [untyped] : []),
      ...(requestData.has(schema) && hasProperties && !("required" in schema) ? ["required fields"] : []),
      ...(alternatives.has(schema) && isOpenObject(schema) ? ["fields"] : []),
      ...("x-extensible-enum" in schema ? ["further values"] : []),
    ];
  }

  return {
    Root: {
      enter(root: unknown) {
        documentSecurity = valueAt(root, ["security"]);
      },
      leave() {
        for (const schema of schemas) addGaps(schema, gapsOfSchema(schema));
      },
    },
    Operation(operation: unknown) {
      if (!isObject(operation)) return;
      const isStatusOpen = membersOf(operation["responses"]).some(([status]) => status.toUpperCase() === "2XX");
      const requirements = elementsOf(operation["security"] ?? documentSecurity);
      const mayBeOpen = requirements.some((requirement) => membersOf(requirement).length === 0);
      const isSpecified = operation["x-security-optional"] === true || requirements.length < 2;
      addGaps(operation, [
        ...(isStatusOpen ? ["success status code"] : []),
        ...(mayBeOpen && !isSpecified ? ["authentication"] : []),
      ]);
    },
    Responses(responses: unknown, ctx) {
      const failure = follow(valueAt(responses, ["default"]), ctx.location, ctx);
      if (failure !== undefined) addGaps(failure.node, ["failure status codes"]);
    },
    Response(response: unknown, ctx) {
      for (const [mediaType, content] of membersOf(valueAt(response, ["content"]))) {
        const schema = follow(valueAt(content, ["schema"]), ctx.location, ctx);
        if (isJson(mediaType) && schema !== undefined) responseBodies.add(schema.node);
      }
    },
    RequestBody(body: unknown, ctx) {
      for (const [, content] of membersOf(valueAt(body, ["content"]))) {
        collectRequestData(valueAt(content, ["schema"]), ctx.location, ctx);
      }
    },
    ...visitSchemas((schema, ctx) => {
      schemas.add(schema);
      for (const keyword of schemaKeywords) unlimited.add(schema[keyword]);
      for (const member of [...elementsOf(schema["anyOf"]), ...elementsOf(schema["oneOf"])]) {
        const found = follow(member, ctx.location, ctx);
        if (found !== undefined) alternatives.add(found.node);
      }
    }),
  };
};

/** An object of which nothing is known: neither the names of its fields, nor what they hold. */
function isOpenObject(schema: Node): boolean {
  const { additionalProperties = true } = schema;
  const limits = ["properties", "patternProperties", "propertyNames", "required", "unevaluatedProperties"];
  return typesOf(schema).includes("object") && additionalProperties === true && !limits.some((name) => name in schema);
}

/** Adds gaps to a node, before those that it has and each of them once. */
function addGaps(node: Node, gaps: readonly string[]): void {
  const all = new Set([...gaps, ...elementsOf(node["x-unspecified"])]);
  if (gaps.length > 0) Reflect.set(node, "x-unspecified", [...all]);
}

/**
 * Gives a bundle a tag for each group that `x-tagGroups` names, in that order. The tag of a group without operations
 * says that they are not specified.
 */
export const addTags: Oas3Decorator = () => {
  const used = new Set<unknown>();
  return {
    Operation(operation: unknown) {
      if (isObject(operation)) elementsOf(operation["tags"]).forEach((tag) => used.add(tag));
    },
    Root: {
      leave(root: unknown) {
        if (!isObject(root)) return;
        const written = objectsOf(root["tags"]);
        const groups = objectsOf(root["x-tagGroups"]);
        const names = new Set([...groups.flatMap(({ tags }) => stringsOf(tags)), ...written.map(({ name }) => name)]);
        if (names.size === 0) return;
        const tags = [...names].map((name) => {
          const own = written.find((one) => one["name"] === name);
          if (used.has(name)) return own ?? { name };
          const tag = { name, description: unknownGroup, ...own };
          addGaps(tag, ["operations"]);
          return tag;
        });
        Reflect.set(root, "tags", tags);
      },
    },
  };
};

/** Deprecates every operation of a generation whose `info` has `x-deprecated-on`, with the days of `info` if it has none. */
export const passOnDeprecation: Oas3Decorator = () => {
  const { deprecatedOn, sunset } = lifecycleDays;
  let inherited: Node = {};
  return {
    Root(root: unknown) {
      const [day, end] = [deprecatedOn, sunset].map((name) => valueAt(root, ["info", name]));
      inherited = day === undefined ? {} : { deprecated: true, [deprecatedOn]: day, [sunset]: end };
    },
    Operation(operation: unknown) {
      if (!isObject(operation)) return;
      for (const [name, value] of Object.entries(inherited)) {
        if (value !== undefined && !(name in operation)) Reflect.set(operation, name, value);
      }
    },
  };
};

/** Removes `x-path` from bundles, in which every path item is under its path. */
export const removePaths: Oas3Decorator = () => ({
  PathItem: {
    leave(pathItem: unknown) {
      if (isObject(pathItem)) Reflect.deleteProperty(pathItem, "x-path");
    },
  },
});
