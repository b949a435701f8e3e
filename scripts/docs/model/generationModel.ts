import type { Generation } from "../../contract/generation.ts";
import { firstParagraph, reachable } from "../../contract/text.ts";
import { pointerKeys } from "../../spec/json.ts";
import { resolve, type SchemaObject } from "../../spec/openapi.ts";
import { referencesIn } from "../../spec/walk.ts";
import { schemaField } from "./fields.ts";
import { readOperationModel } from "./operationModel.ts";

/** Facts on the pages of a generation and of its webhooks. */
export type GenerationModel = ReturnType<typeof readGenerationModel>;
/** Facts on the page of a schema among the components. */
export type SchemaModel = NonNullable<ReturnType<GenerationModel["schemas"]["get"]>>;

export function readGenerationModel(generation: Generation) {
  const operations = [...generation.operations, ...generation.webhooks];
  const contents = operations.map((operation) => [operation, readOperationModel(generation, operation)] as const);
  return { generation, operations: new Map(contents), schemas: readSchemas(generation) };
}

/** The words that the generations' titles have in common at the beginning. */
export function commonTitle(generations: readonly Generation[]): string {
  return commonBeginning(generations.map(({ title }) => title.split(" ")));
}

/** The sentences that the generations' descriptions have in common at the beginning; else the first paragraph of one. */
export function commonIntroduction(generations: readonly Generation[]): string {
  return commonBeginning(generations.map(({ description }) => firstParagraph(description).split(/(?<=[.!?]) /)));
}

function commonBeginning([first = [], ...others]: readonly (readonly string[])[]): string {
  const length = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return (length > 0 ? first.slice(0, length) : first).join(" ");
}

function readSchemas(generation: Generation) {
  const { document, operations, webhooks } = generation;
  const components = Object.entries(document.components?.schemas ?? {});
  const references = new Map(components.map(([name, component]) => [name, schemasIn(component)]));
  const namesIn = (described: readonly { readonly schema: SchemaObject }[]) =>
    reachable(schemasIn(described.map(({ schema }) => schema)), (name) => references.get(name) ?? []);
  const uses = [...operations, ...webhooks].map((operation) => ({
    operation,
    isWebhook: webhooks.includes(operation),
    requests: namesIn([...operation.parameters, ...(operation.requestBody?.content ?? [])]),
    responses: namesIn(operation.responses.flatMap(({ headers, content }) => [...headers, ...content])),
  }));
  return new Map(
    components.map(([name, component]) => {
      const schema = resolve<SchemaObject>(document, component);
      const requests = uses.filter((use) => use.requests.has(name));
      const responses = uses.filter((use) => use.responses.has(name));
      // What readers write: requests to operations, and responses to webhooks.
      const isWritten = requests.some((use) => !use.isWebhook) || responses.some((use) => use.isWebhook);
      const isRead = responses.some((use) => !use.isWebhook) || requests.some((use) => use.isWebhook);
      const direction = isWritten && !isRead ? "request" : "response";
      const content = {
        name,
        schema,
        field: schemaField(schema, { document, direction, anchor: "schema" }, [name]),
        examples: schema.examples ?? (schema.example === undefined ? [] : [schema.example]),
        /** The operations whose requests contain it, at any depth; and likewise of responses. */
        requests: requests.map(({ operation }) => operation),
        responses: responses.map(({ operation }) => operation),
        schemas: [...references].filter(([other, inner]) => other !== name && inner.has(name)).map(([other]) => other),
      };
      return [name, content] as const;
    }),
  );
}

function schemasIn(schemas: unknown): ReadonlySet<string> {
  const names = [...referencesIn(schemas)].map((reference) => pointerKeys(reference));
  return new Set(
    names.flatMap(([root, kind, name]) => (root === "components" && kind === "schemas" ? (name ?? []) : [])),
  );
}
