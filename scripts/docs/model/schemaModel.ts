import type { Generation, Operation } from "../../contract/generation.ts";
import { referencesIn } from "../../spec/walk.ts";
import { pointerKeys } from "../../spec/jsonPointer.ts";
import { resolve } from "../../spec/references.ts";
import type { SchemaObject } from "../../spec/openapi.ts";
import { schemaField } from "./fields.ts";

/** Facts on the page of a schema among the components. */
export type SchemaModel = NonNullable<ReturnType<ReturnType<typeof readSchemas>["get"]>>;

/** Gathers what the contract says of each schema among a generation's components, by name. */
export function readSchemas(generation: Generation) {
  const { document, operations, webhooks } = generation;
  const components = Object.entries(document.components?.schemas ?? {});
  const references = new Map(components.map(([name, component]) => [name, schemasIn(component)]));
  const uses = [...operations, ...webhooks].map((operation) => ({
    operation,
    isWebhook: webhooks.includes(operation),
    requests: withInner(references, schemasIn(requestSchemas(operation))),
    responses: withInner(references, schemasIn(responseSchemas(operation))),
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
        /** The other schemas that refer to it. */
        schemas: [...references].filter(([other, inner]) => other !== name && inner.has(name)).map(([other]) => other),
      };
      return [name, content] as const;
    }),
  );
}

function requestSchemas({ parameters, requestBody }: Operation): readonly SchemaObject[] {
  return [...parameters, ...(requestBody?.content ?? [])].map(({ schema }) => schema);
}

function responseSchemas({ responses }: Operation): readonly SchemaObject[] {
  return responses.flatMap(({ headers, content }) => [...headers, ...content].map(({ schema }) => schema));
}

/** The components that schemas refer to. */
function schemasIn(schemas: unknown): ReadonlySet<string> {
  const names = [...referencesIn(schemas)].map((reference) => pointerKeys(reference));
  return new Set(
    names.flatMap(([root, kind, name]) => (root === "components" && kind === "schemas" ? (name ?? []) : [])),
  );
}

/** The components with some names, and those that they refer to, at any depth. */
function withInner(
  references: ReadonlyMap<string, ReadonlySet<string>>,
  names: ReadonlySet<string>,
): ReadonlySet<string> {
  const all = new Set(names);
  // What is added while the set is iterated over is visited too.
  for (const name of all) for (const inner of references.get(name) ?? []) all.add(inner);
  return all;
}
