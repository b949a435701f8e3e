import { allOperations, type Generation, type Operation } from "../../contract/generation.ts";
import { firstParagraph, reachable } from "../../contract/text.ts";
import { pointerKeys } from "../../spec/json.ts";
import { resolve, type SchemaObject } from "../../spec/openapi.ts";
import { referencesIn } from "../../spec/walk.ts";
import type { Direction } from "../../spec/schemas.ts";
import { schemaField, type Field } from "./fields.ts";
import { readOperationModel, type OperationModel } from "./operationModel.ts";

/** Facts on the pages of a generation and of its webhooks. */
export interface GenerationModel {
  readonly generation: Generation;
  /** Those of the operations, and of the webhooks. */
  readonly operations: ReadonlyMap<Operation, OperationModel>;
  /** Those of the schemas among the components, by name. */
  readonly schemas: ReadonlyMap<string, SchemaModel>;
}

/** Facts on the page of a schema among the components. */
export interface SchemaModel {
  readonly name: string;
  readonly schema: SchemaObject;
  readonly field: Field;
  readonly examples: readonly unknown[];
  /** The operations whose requests contain it, at any depth. */
  readonly requests: readonly Operation[];
  /** Likewise of responses. */
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

/** The words that the generations' titles have in common at the beginning. */
export function commonTitle(generations: readonly Generation[]): string {
  return commonBeginning(generations.map(({ title }) => title.split(" ")));
}

/** What the title of a generation adds to what all have in common, such as `v2`; all of it, if that is nothing. */
export function ownTitle({ title }: Generation, generations: readonly Generation[]): string {
  return title.slice(commonTitle(generations).length).trim() || title;
}

/** The sentences that the generations' descriptions have in common at the beginning; else the first paragraph of one. */
export function commonIntroduction(generations: readonly Generation[]): string {
  return commonBeginning(generations.map(({ description }) => firstParagraph(description).split(/(?<=[.!?]) /)));
}

function commonBeginning([first = [], ...others]: readonly (readonly string[])[]): string {
  const length = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return (length > 0 ? first.slice(0, length) : first).join(" ");
}

function readSchemas(generation: Generation): ReadonlyMap<string, SchemaModel> {
  const { document } = generation;
  const components = Object.entries(document.components?.schemas ?? {});
  const references = new Map(components.map(([name, component]) => [name, schemasIn(component)]));
  const uses = readUses(generation, references);
  const schemas = new Map<string, SchemaModel>();
  for (const [name, component] of components) {
    const schema = resolve<SchemaObject>(document, component);
    const { requests, responses } = usesOf(name, uses);
    const direction = directionOf(requests, responses);
    const example = schema.example === undefined ? [] : [schema.example];
    schemas.set(name, {
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

/** The names of the other schemas that refer to one. */
function referencesTo(name: string, references: References): readonly string[] {
  const others = [...references].filter(([other, inner]) => other !== name && inner.has(name));
  return others.map(([other]) => other);
}

/** The names of the schemas that an operation or a webhook sends and receives, at any depth. */
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

function usesOf(name: string, uses: readonly SchemaUse[]) {
  return {
    requests: uses.filter(({ requests }) => requests.has(name)),
    responses: uses.filter(({ responses }) => responses.has(name)),
  };
}

/** Whether readers write a schema, or read it as well: they write requests to operations, and responses to webhooks. */
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
