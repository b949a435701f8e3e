import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";

const operationsPerGroup = 20;

/** Writes a contract laid out like this project's, with as many operations, into an empty folder. */
export async function writeLargeContract(directory: string, operations: number): Promise<void> {
  const groups = Array.from({ length: operations / operationsPerGroup }, (_, index) => groupOf(index));
  const index = {
    openapi: "3.1.1",
    info: {
      title: "A large contract",
      version: "1.0.0",
      description: "Made to be measured.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:4010" }],
    security: [{ bearer: [] }],
    tags: groups.map(({ tag }) => ({ name: tag, description: "Things of one group." })),
    paths: Object.fromEntries(
      groups.flatMap(({ file, paths }) =>
        Object.keys(paths).map((path) => [path, { $ref: `${file}#/paths/${pointerKey(path)}` }]),
      ),
    ),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "A token in the header." } },
    },
  };
  await mkdir(join(directory, "openapi"));
  await writeFile(join(directory, "openapi/openapi.yaml"), stringify(index));
  for (const { file, paths, components } of groups) {
    await writeFile(
      join(directory, "openapi", file),
      stringify({ paths, components }, { aliasDuplicateObjects: false }),
    );
  }
  await writeFile(
    join(directory, "redocly.yaml"),
    stringify({
      telemetry: "off",
      apis: { large: { root: "openapi/openapi.yaml" } },
      extends: ["recommended-strict"],
      rules: { "operation-4xx-response": "off" },
    }),
  );
}

function groupOf(group: number) {
  const tag = `Group ${group}`;
  const things = Array.from({ length: operationsPerGroup / 2 }, (_, index) => `${group}x${index}`);
  return {
    tag,
    file: `group-${group}.yaml`,
    paths: Object.fromEntries(things.map((thing) => [`/v1/things-${thing}/{thingId}`, pathItem(tag, thing)])),
    components: {
      parameters: {
        [`ThingId${group}`]: {
          name: "thingId",
          in: "path",
          required: true,
          description: "Which thing, by its id.",
          schema: { type: "integer" },
        },
      },
      schemas: Object.fromEntries(
        things.map((thing, index) => [
          `Thing${thing}`,
          schemaThatRefersTo(things[(index + 1) % things.length] ?? thing),
        ]),
      ),
    },
  };

  function pathItem(tag: string, thing: string) {
    const content = {
      "application/json": {
        schema: { $ref: `#/components/schemas/Thing${thing}` },
        examples: { one: { summary: "One thing", value: { id: 1, name: "First", kind: "plain" } } },
      },
    };
    const responses = {
      200: { description: "The thing.", content },
      default: { description: "The request failed.", content: { "application/json": { schema: {} } } },
    };
    return {
      parameters: [{ $ref: `#/components/parameters/ThingId${group}` }],
      get: {
        operationId: `getThing${thing}`,
        tags: [tag],
        summary: "Get a thing",
        description: "Reads one thing of the group.",
        responses,
      },
      patch: {
        operationId: `updateThing${thing}`,
        tags: [tag],
        summary: "Update a thing",
        description: "Changes one thing of the group.",
        requestBody: { required: true, content },
        responses,
      },
    };
  }
}

function schemaThatRefersTo(thing: string) {
  return {
    description: "A thing of the group.",
    type: "object",
    required: ["id", "name"],
    properties: {
      id: { description: "Identifies the thing.", type: "integer" },
      name: { description: "What it is called.", type: "string" },
      kind: { description: "What kind it is of.", type: "string", "x-extensible-enum": ["plain", "fancy"] },
      madeAt: { description: "When it was made.", type: "string", format: "date-time" },
      tags: { description: "Words to find it by.", type: "array", items: { type: "string" } },
      next: { $ref: `#/components/schemas/Thing${thing}` },
    },
  };
}

/** A key as a token of a JSON Pointer in a URI fragment (RFC 6901, sections 3 and 6). */
function pointerKey(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}
