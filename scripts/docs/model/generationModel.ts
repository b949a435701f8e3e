import { allOperations, type Generation, type Operation } from "../../contract/generation.ts";
import { firstParagraph } from "../../values/markdown.ts";
import { reachable } from "../../values/collections.ts";
import { pointerKeys } from "../../values/json.ts";
import { resolve, type SchemaObject } from "../../spec/openapi.ts";
import { referencesIn } from "../../spec/walk.ts";
import type { Direction } from "../../spec/schemas.ts";
import { schemaField, type Field } from "./fields.ts";
import { readOperationModel, type OperationModel } from "./operationModel.ts";

/** The facts for the pages of a generation and its webhooks. */
export interface GenerationModel {
  readonly generation: Generation;
  /** The facts about operations and webhooks. */
  readonly operations: ReadonlyMap<Operation, OperationModel>;
  /** The facts about component schemas, by name. */
  readonly schemas: ReadonlyMap<string, SchemaModel>;
}

/** The facts for the page of a component schema. */
export interface SchemaModel {
  readonly generation: Generation;
  readonly name: string;
  readonly schema: SchemaObject;
  readonly field: Field;
  readonly examples: readonly unknown[];
  /** The operations with the schema in their requests, at any depth. */
  readonly requests: readonly Operation[];
  /** The operations with the schema in their responses, at any depth. */
  readonly responses: readonly Operation[];
  /** The names of the other schemas that refer to it. */
  readonly schemas: readonly string[];
}

export function readGenerationModel(generation: Generation): GenerationModel {
  const contents = allOperations(generation).map(
    (operation) => [operation, readOperationModel(generation, operation)] as const,
  );
  return { generation, operations: new Map(contents), schemas: readSchemas(generation) };
}

/** The words at the beginning of all generations' titles. */
export function commonTitle(generations: readonly Generation[]): string {
  return commonBeginning(generations.map(({ title }) => title.split(" ")));
}

/** The rest of a generation's title after the common words, such as `v2`. The whole title if nothing is left. */
export function ownTitle({ title }: Generation, generations: readonly Generation[]): string {
  return title.slice(commonTitle(generations).length).trim() || title;
}

/**
 * The sentences at the beginning of all generations' descriptions. If there are none, the first paragraph of
 * one.
 */
export function commonIntroduction(generations: readonly Generation[]): string {
  return commonBeginning(generations.map(({ description }) => firstParagraph(description).split(/(?<=[.!?]) /)));
}

/** The parts that all texts begin with. If there are none, the whole first text. */
function commonBeginning(texts: readonly (readonly string[])[]): string {
  const common = commonParts(texts);
  return (common.length > 0 ? common : (texts[0] ?? [])).join(" ");
}

/** The parts that all lists begin with. */
export function commonParts([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  const length = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return length === -1 ? first : first.slice(0, length);
}

function readSchemas(generation: Generation): ReadonlyMap<string, SchemaModel> {
  const { document } = generation;
  const components = Object.entries(document.components?.schemas ?? {});
  const references = new Map(components.map(([name, component]) => [name, schemasIn(component)]));
  const uses = readUses(generation, references);
  const usesIn = (messages: "requests" | "responses", name: string) => uses.filter((use) => use[messages].has(name));
  const schemas = new Map<string, SchemaModel>();
  for (const [name, component] of components) {
    const schema = resolve<SchemaObject>(document, component);
    const [requests, responses] = [usesIn("requests", name), usesIn("responses", name)];
    const direction = directionOf(requests, responses);
    const example = schema.example === undefined ? [] : [schema.example];
    schemas.set(name, {
      generation,
      name,
      schema,
      field: schemaField(schema, { document, direction, anchor: "schema" }, [name]),
      examples: schema.examples ?? example,
      requests: requests.map(({ operation }) => operation),
      responses: responses.map(({ operation }) => operation),
      schemas: referencesTo(name, references),
    });
  }
  return schemas;
}

/** The names of the other schemas that refer to a schema. */
function referencesTo(name: string, references: References): readonly string[] {
  const others = [...references].filter(([other, inner]) => other !== name && inner.has(name));
  return others.map(([other]) => other);
}

/** The names of the schemas in an operation's or a webhook's requests and responses, at any depth. */
interface SchemaUse {
  readonly operation: Operation;
  readonly isWebhook: boolean;
  readonly requests: ReadonlySet<string>;
  readonly responses: ReadonlySet<string>;
}

type References = ReadonlyMap<string, ReadonlySet<string>>;

function readUses(generation: Generation, references: References): readonly SchemaUse[] {
  const namesIn = (described: readonly { readonly schema: SchemaObject }[]) =>
    reachable(schemasIn(described.map(({ schema }) => schema)), (name) => references.get(name) ?? []);
  return allOperations(generation).map((operation) => {
    const { parameters, requestBody, responses, isWebhook } = operation;
    return {
      operation,
      isWebhook,
      requests: namesIn([...parameters, ...(requestBody?.content ?? [])]),
      responses: namesIn(responses.flatMap(({ headers, content }) => [...headers, ...content])),
    };
  });
}

/**
 * Whether readers only write a schema, or also read it. They write requests to operations, and responses to
 * webhooks.
 */
function directionOf(requests: readonly SchemaUse[], responses: readonly SchemaUse[]): Direction {
  const isWritten = requests.some((use) => !use.isWebhook) || responses.some((use) => use.isWebhook);
  const isRead = responses.some((use) => !use.isWebhook) || requests.some((use) => use.isWebhook);
  return isWritten && !isRead ? "request" : "response";
}

function schemasIn(schemas: unknown): ReadonlySet<string> {
  const names = [...referencesIn(schemas)].map((reference) => pointerKeys(reference));
  return new Set(
    names.flatMap(([root, kind, name]) => (root === "components" && kind === "schemas" ? (name ?? []) : [])),
  );
}
