import * as runtime from "../client/schema.ts";
import { mapObjects } from "../spec/walk.ts";
import {
  jsonContent,
  successResponses,
  type Generation,
  type MediaType,
  type Operation,
} from "../contract/generation.ts";
import { jsonPointer, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import { elementsOf } from "../spec/json.ts";
import type { OpenApiDocument } from "../spec/openapi.ts";
import { capitalize, createNames, createTypeNames, operationKey, type TypeNames } from "./generatedNames.ts";
import { indent, literal } from "../samples/javaScriptText.ts";
import { UserError } from "../contract/failures.ts";
import { compareText } from "../contract/text.ts";
import { schemaExpression } from "./schemaExpression.ts";
import { moduleComment } from "./typeScriptText.ts";

/** A constant of the module, the constants that it refers to, and what it uses of scripts/client/schema.ts. */
interface SchemaConstant extends Readonly<Record<"name" | "text", string>> {
  readonly needed: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
}

/**
 * Makes the text of a generation's schemas module, which lies beside its `types.ts` and takes types from that: a schema
 * for each component and for the JSON of each operation's requests and successes, and the values that enumerations list.
 * A schema that cannot be compiled is left out, and so are those that refer to it; `onLeftOut` is told the place of the
 * former in the bundle, as a JSON Pointer, and the reason.
 */
export function generateSchemas(
  { document, operations, title }: Generation,
  types: string,
  onLeftOut: (pointer: string, reason: string) => void,
): string {
  const typeNames = createTypeNames(types);
  const own = ["schemas", "types", "contractSchemas", "ContractError", "ContractSchemas", "Issue", "Schema"];
  const nameOf = createNames([...own, ...Object.keys(runtime)]);
  const names = new Map<string, string>();
  const constants: SchemaConstant[] = [];

  const addConstant = (name: string, type: string, schema: unknown, place: string, modifier = "export ") => {
    const [needed, used] = [new Set<string>(), new Set(["schema"])];
    const refer = (reference: string) => {
      const other = nameOfReference(reference);
      needed.add(other);
      return other;
    };
    try {
      const expression = schemaExpression(schema, { nameOf: refer, use: (one) => used.add(one) });
      const start = `${modifier}const ${name}: Schema${type === "unknown" ? "" : `<${type}>`} = /*#__PURE__*/ schema(() =>`;
      const line = `${start} ${expression});`;
      const isLong = line.length > 117 || line.includes("\n");
      constants.push({ name, text: isLong ? `${start}\n${indent(expression)},\n);` : line, needed, used });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      onLeftOut(place, error.message);
    }
  };
  /** The name of what a reference leads to, which gets a constant if it is no component. */
  const nameOfReference = (reference: string): string => {
    const keys = pointerKeys(reference);
    const pointer = jsonPointer(keys);
    const known = names.get(pointer);
    if (known !== undefined) return known;
    const name = nameOf(keys.slice(2).join("_"));
    names.set(pointer, name);
    addConstant(name, "unknown", valueAt(document, keys), pointer, "");
    return name;
  };

  const components = Object.entries(document.components?.schemas ?? {});
  const pointerOf = (key: string) => jsonPointer(["components", "schemas", key]);
  for (const [key] of components) names.set(pointerOf(key), nameOf(key));
  for (const [key, schema] of components) {
    addConstant(nameOfReference(pointerOf(key)), typeNames.ofComponent(key), schema, pointerOf(key));
  }
  const bodies = operations.map((operation) => ({
    operation,
    parts: bodiesOf(operation, typeNames).flatMap(([part, schemaOf]) => {
      const [schema, ...others] = schemaOf.values();
      if (schema === undefined) return [];
      const name = nameOf(operationKey(operation) + part);
      const either = others.length === 0 ? schema : { anyOf: [schema, ...others] };
      const place = `${operation.pathItemPointer}/${operation.method}`;
      addConstant(name, [...schemaOf.keys()].join(" | "), either, place);
      return [{ part, name }];
    }),
  }));
  const kept = withoutDangling(constants);
  const keptNames = new Set(kept.map(({ name }) => name));
  const used = new Set(kept.flatMap((constant) => [...constant.used]));
  const members = bodies.flatMap(({ operation, parts }) => {
    const present = parts.filter(({ name }) => keptNames.has(name));
    const texts = present.map(({ part, name }) => `${part.toLowerCase()}: ${name}`);
    return texts.length === 0 ? [] : [`  ${JSON.stringify(operation.name)}: { ${texts.join(", ")} },`];
  });
  // What a client validates with, by the names of operations.
  const schemas = ["export const schemas = /*#__PURE__*/ contractSchemas<types.paths>({", ...members, "});"].join("\n");
  const text = [...kept.map(({ text }) => text), schemas, ...listEnumerations(document, nameOf)].join("\n\n");
  const comment = moduleComment(
    `Standard Schemas of ${title}: of each component, and of the JSON of each operation's request and successful response. ` +
      "`schemas` has all of these for a client to validate with.",
    'const client = createClient({ baseUrl: "https://api.example.com", validate: "throw", schemas });',
  );
  const imported = [...used].sort((a, b) => compareText(a.toLowerCase(), b.toLowerCase()));
  const functions = [
    "import {",
    ...imported.map((name) => `  ${name},`),
    "  type Schema,",
    `} from "${runtimePath}";\n`,
  ];
  // The exported types are there for declarations made of what a consumer exports, which have to name them.
  return `${comment}import { ContractError, contractSchemas } from "../../scripts/client/contractSchemas.ts";
${used.size === 0 ? "" : functions.join("\n")}import type * as types from "./types.ts";

export { ContractError };
export type { Issue, Schema } from "${runtimePath}";
export type { ContractSchemas } from "../../scripts/client/contractSchemas.ts";

${text}
`;
}

/** The constants that refer to none that is missing. */
function withoutDangling(constants: readonly SchemaConstant[]): readonly SchemaConstant[] {
  const names = new Set(constants.map(({ name }) => name));
  const whole = constants.filter(({ needed }) => [...needed].every((name) => names.has(name)));
  return whole.length === constants.length ? constants : withoutDangling(whole);
}

const runtimePath = "../../scripts/client/schema.ts";

/** The schemas of the JSON of an operation's request, and of its successes, by the types of what they describe. */
function bodiesOf(operation: Operation, types: TypeNames): readonly [part: string, ReadonlyMap<string, unknown>][] {
  const read = (content: readonly MediaType[] | undefined, status?: string): [string, unknown][] => {
    const json = jsonContent(content);
    return json === undefined ? [] : [[types.ofContent(operation, status, json), json.schema]];
  };
  const successes = successResponses(operation);
  const received = new Map(successes.flatMap(({ status, content }) => read(content, status)));
  // A client has no data of a success without content.
  const isOptional = received.size > 0 && successes.some(({ content }) => content.length === 0);
  if (isOptional) received.set("undefined", { type: "undefined" });
  return [
    ["Request", new Map(read(operation.requestBody?.content))],
    ["Response", received],
  ];
}

/** The values that enumerations in components list, whether or not there may be others: `membershipRoleValues`. */
function listEnumerations(document: OpenApiDocument, nameOf: (wanted: string) => string): readonly string[] {
  const constants: string[] = [];
  mapObjects(
    document.components?.schemas,
    (schema, keys) => {
      const values = elementsOf(schema["x-extensible-enum"] ?? schema["enum"]);
      const words = keys.filter((_, index) => index === 0 || keys[index - 1] === "properties").map(capitalize);
      const name = `${words.join("").replace(/^./u, (letter) => letter.toLowerCase())}Values`;
      if (values.length > 0) constants.push(`export const ${nameOf(name)} = ${literal(values)} as const;`);
      return schema;
    },
    [],
    true,
  );
  return constants;
}
