import type { Document, Operation, PathItem, Schema } from "../../contract/document.ts";

/** A description with four operations for each resource: list, create, read and update. */
export function syntheticDocument(operations: number): Document {
  const resources = Array.from({ length: operations / 4 }, (_, index) => `resource${index}`);
  return {
    openapi: "3.1.1",
    info: { title: "Synthetic", version: "1.0.0" },
    paths: Object.fromEntries(
      resources.flatMap((name): [string, PathItem][] => [
        [`/api/${name}`, { get: operation(name, "list"), post: operation(name, "create") }],
        [`/api/${name}/{id}`, { parameters: [id], get: operation(name, "read"), patch: operation(name, "update") }],
      ]),
    ),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: Object.fromEntries(resources.map((name) => [name, schema])),
    },
  };
}

const id = { name: "id", in: "path", required: true, example: 7, schema: { type: "integer" } } as const;

const example = {
  id: 7,
  name: "Seven",
  email: "seven@example.com",
  tags: ["a", "b"],
  place: { city: "Oslo", zip: null },
};

const schema: Schema = {
  type: "object",
  required: ["id", "name"],
  properties: {
    id: { type: "integer" },
    name: { type: "string", maxLength: 100 },
    email: { type: "string", format: "email" },
    tags: { type: "array", items: { type: "string" } },
    place: { type: "object", properties: { city: { type: "string" }, zip: { type: ["string", "null"] } } },
  },
};

function operation(name: string, kind: "create" | "list" | "read" | "update"): Operation {
  const content = {
    "application/json": { schema: { $ref: `#/components/schemas/${name}` }, examples: { one: { value: example } } },
  };
  return {
    operationId: `${kind}_${name}`,
    security: [{ token: [] }],
    ...(kind === "create" || kind === "update" ? { requestBody: { required: true, content } } : {}),
    responses: { [kind === "create" ? "201" : "200"]: { description: `To ${kind}.`, content } },
  };
}
