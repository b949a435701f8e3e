import type { Location, Oas3Decorator, UserContext } from "@redocly/openapi-core";
import { unknownGroup } from "../contract/gaps.ts";
import { elementsOf, isObject, membersOf, objectsOf, stringsOf, valueAt } from "../values/json.ts";
import { lifecycleDays } from "../spec/lifecycle.ts";
import { isBinarySchema, isBinaryType } from "../spec/binary.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { isUntyped, schemaKeywords } from "../spec/schemaKeywords.ts";
import { typesOf } from "../spec/schemas.ts";
import { follow, visitSchemas, type Node } from "./nodes.ts";
import { ignorableFaults } from "./rules/schemaRules.ts";

/** Notes about the schemas of a document, collected to derive their gaps after the walk. */
interface SchemaNotes {
  readonly schemas: Set<Node>;
  /** The schemas of responses' JSON bodies. */
  readonly responseBodies: Set<Node>;
  /** The schemas in requests, at any depth. */
  readonly requestData: Set<Node>;
  /** The schemas under `anyOf` and `oneOf`. */
  readonly alternatives: Set<Node>;
  /** Schemas that describe no value themselves, or that allow anything if they are empty. */
  readonly unlimited: Set<unknown>;
}

/**
 * Adds the gaps that show in how the contract is written to the bundle's `x-unspecified`. CONTRIBUTING.md
 * lists them. It runs in the bundler's walk, which has moved every component to its place when it leaves the
 * root.
 */
export const nameGaps: Oas3Decorator = () => {
  let documentSecurity: unknown;
  const notes: SchemaNotes = {
    schemas: new Set(),
    responseBodies: new Set(),
    requestData: new Set(),
    alternatives: new Set(),
    unlimited: new Set(),
  };
  return {
    Root: {
      enter(root: unknown) {
        documentSecurity = valueAt(root, ["security"]);
      },
      leave() {
        for (const schema of notes.schemas) addGaps(schema, gapsOfSchema(schema, notes));
      },
    },
    Paths: {
      Operation(operation: unknown) {
        if (isObject(operation)) addGaps(operation, gapsOfOperation(operation, documentSecurity));
      },
    },
    WebhooksMap: {
      // Requirements for all requests to the service don't concern its own requests.
      Operation(operation: unknown) {
        if (isObject(operation)) addGaps(operation, gapsOfOperation(operation, []));
      },
    },
    Responses(responses: unknown, ctx) {
      const failure = follow(valueAt(responses, ["default"]), ctx.location, ctx);
      if (failure !== undefined) addGaps(failure.node, ["failure status codes"]);
    },
    Response(response: unknown, ctx) {
      noteResponse(response, notes, ctx);
    },
    RequestBody(body: unknown, ctx) {
      for (const [mediaType, content] of membersOf(valueAt(body, ["content"]))) {
        noteRequestData(valueAt(content, ["schema"]), ctx.location, notes, ctx);
        noteFile(mediaType, content, notes, ctx);
      }
    },
    ...visitSchemas((schema, ctx) => {
      noteSchema(schema, notes, ctx);
    }),
  };
};

function noteResponse(response: unknown, notes: SchemaNotes, ctx: UserContext): void {
  for (const [mediaType, content] of membersOf(valueAt(response, ["content"]))) {
    const schema = follow(valueAt(content, ["schema"]), ctx.location, ctx);
    if (isJson(mediaType) && schema !== undefined) notes.responseBodies.add(schema.node);
    noteFile(mediaType, content, notes, ctx);
  }
}

/** Records the schema of a file, which its media type describes completely. */
function noteFile(mediaType: string, content: unknown, { unlimited }: SchemaNotes, ctx: UserContext): void {
  const schema = follow(valueAt(content, ["schema"]), ctx.location, ctx);
  if (isBinaryType(mediaType) && schema !== undefined) unlimited.add(schema.node);
}

/** Records a request's schemas, except within `allOf`, whose parts may share a common `required`. */
function noteRequestData(value: unknown, location: Location, notes: SchemaNotes, ctx: UserContext): void {
  const found = follow(value, location, ctx);
  if (found === undefined || notes.requestData.has(found.node)) return;
  notes.requestData.add(found.node);
  const { properties, items, additionalProperties, anyOf, oneOf } = found.node;
  const members = membersOf(properties).map(([, property]) => property);
  for (const child of [...members, ...elementsOf(anyOf), ...elementsOf(oneOf), items, additionalProperties]) {
    noteRequestData(child, found.location, notes, ctx);
  }
}

function noteSchema(schema: Node, { schemas, alternatives, unlimited }: SchemaNotes, ctx: UserContext): void {
  schemas.add(schema);
  for (const keyword of schemaKeywords) unlimited.add(schema[keyword]);
  for (const member of [...elementsOf(schema["anyOf"]), ...elementsOf(schema["oneOf"])]) {
    const found = follow(member, ctx.location, ctx);
    if (found !== undefined) alternatives.add(found.node);
  }
}

function gapsOfSchema(schema: Node, notes: SchemaNotes): readonly string[] {
  const gaps: string[] = [];
  const hasProperties = membersOf(schema["properties"]).length > 0;
  if (isUntyped(schema) && !isBinarySchema(schema) && !notes.unlimited.has(schema)) {
    gaps.push(notes.responseBodies.has(schema) ? "response body" : "type");
  }
  if (notes.requestData.has(schema) && hasProperties && !("required" in schema)) gaps.push("required fields");
  if (notes.alternatives.has(schema) && isOpenObject(schema)) gaps.push("fields");
  if ("x-extensible-enum" in schema) gaps.push("further values");
  return gaps;
}

function gapsOfOperation(operation: Node, documentSecurity: unknown): readonly string[] {
  const gaps: string[] = [];
  const statuses = membersOf(operation["responses"]).map(([status]) => status.toUpperCase());
  if (statuses.includes("2XX")) gaps.push("success status code");
  const requirements = elementsOf(operation["security"] ?? documentSecurity);
  const mayBeOpen = requirements.some((requirement) => membersOf(requirement).length === 0);
  const isSpecified = operation["x-security-optional"] === true || requirements.length < 2;
  if (mayBeOpen && !isSpecified) gaps.push("authentication");
  return gaps;
}

/** An object about which nothing is known, neither the names of its fields nor their values. */
function isOpenObject(schema: Node): boolean {
  const { additionalProperties = true } = schema;
  const limits = ["properties", "patternProperties", "propertyNames", "required", "unevaluatedProperties"];
  return typesOf(schema).includes("object") && additionalProperties === true && !limits.some((name) => name in schema);
}

/** Adds gaps to a node, before its own and without duplicates. */
function addGaps(node: Node, gaps: readonly string[]): void {
  const all = new Set([...gaps, ...elementsOf(node["x-unspecified"])]);
  if (gaps.length > 0) Reflect.set(node, "x-unspecified", [...all]);
}

/**
 * Adds a tag for each group in `x-tagGroups`, in order. The tag of a group without operations says that they
 * aren't specified.
 */
export const addTags: Oas3Decorator = () => {
  const used = new Set<unknown>();
  return {
    Operation(operation: unknown) {
      for (const tag of elementsOf(valueAt(operation, ["tags"]))) used.add(tag);
    },
    Root: {
      leave(root: unknown) {
        if (!isObject(root)) return;
        const tags = listTags(root, used);
        if (tags.length > 0) Reflect.set(root, "tags", tags);
      },
    },
  };
};

/** The tags of a document, and those that its groups name. `used` are those of operations. */
function listTags(root: Node, used: ReadonlySet<unknown>): readonly Node[] {
  const written = objectsOf(root["tags"]);
  const grouped = objectsOf(root["x-tagGroups"]).flatMap(({ tags }) => stringsOf(tags));
  const names = new Set([...grouped, ...written.map(({ name }) => name)]);
  return [...names].map((name) => {
    const own = written.find((one) => one["name"] === name);
    if (used.has(name)) return own ?? { name };
    const tag = { name, description: unknownGroup, ...own };
    addGaps(tag, ["operations"]);
    return tag;
  });
}

/** Removes malformed keywords from schemas. The rest of a schema still describes its values. */
export const ignoreMalformed: Oas3Decorator = () =>
  visitSchemas((schema, ctx) => {
    // An OpenAPI 3.0 `exclusiveMinimum` depends on the `minimum` beside it, which may be malformed too.
    for (let faults = ignorableFaults(schema, ctx); faults.length > 0; faults = ignorableFaults(schema, ctx)) {
      for (const { keyword } of faults) Reflect.deleteProperty(schema, keyword);
    }
  });

/**
 * Deprecates every operation of a generation whose `info` has `x-deprecated-on`. Operations without dates get
 * those of `info`.
 */
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
