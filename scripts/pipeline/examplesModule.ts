import { successResponses, type Generation, type MediaType, type Operation } from "../contract/generation.ts";
import type { SchemaObject } from "../spec/openapi.ts";
import { createNames, createTypeNames, operationKey, type TypeNames } from "./generatedNames.ts";
import { literal, objectText, propertyName } from "../samples/javaScriptText.ts";
import { createLiteralCheck } from "./literalTypes.ts";
import { memberAccess, moduleComment } from "./typeScriptText.ts";

interface TypedExample {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
  /** The value as TypeScript, with its type asserted where the compiler might not take it for that. */
  readonly text: string;
}

/**
 * Makes the text of a generation's examples module, which lies beside its `types.ts`, whose text is given. For each
 * operation it has the named examples of the request, of the success and of the failure, and beside them those that are
 * components. Each has the type of the body that it is an example of, also where it is not valid: telling that is for lint.
 */
export function generateExamples({ document, operations, title }: Generation, types: string): string {
  const typeNames = createTypeNames(types);
  const fits = createLiteralCheck(document);
  const write = (schema: SchemaObject, value: unknown) => literal(value) + (fits(schema, value) ? "" : asserted);
  const nameOf = createNames(["types"]);
  // The target of a reference is one object, wherever it is used.
  const componentOf = new Map<unknown, string>();
  for (const [key, example] of Object.entries(document.components?.examples ?? {})) {
    if ("value" in example && typeof example.value === "object" && example.value !== null) {
      componentOf.set(example.value, nameOf(key));
    }
  }
  const shared = new Map<string, TypedExample>();
  const textOf = (example: TypedExample) => {
    const name = componentOf.get(example.value);
    if (name === undefined) return example.text;
    const first = shared.get(name) ?? { ...example, name };
    shared.set(name, first);
    return first.type === example.type ? name : example.text;
  };
  const uses: string[] = [];
  const groups = operations.flatMap((operation) =>
    Object.entries(examplesByPart(operation, typeNames, write)).flatMap(([part, examples]) => {
      if (examples.length === 0) return [];
      const name = nameOf(operationKey(operation) + part);
      uses.push(...examples.map((example) => `const response = Response.json(${name}${memberAccess(example.name)});`));
      const members = examples.map((example) => `  readonly ${propertyName(example.name)}: ${example.type};`);
      const texts = Object.fromEntries(examples.map((example) => [example.name, textOf(example)]));
      return [`export const ${name}: {\n${members.join("\n")}\n} = ${objectText(texts)};`];
    }),
  );
  const constants = [...shared.values()].map(({ name, type, text }) => `export const ${name}: ${type} = ${text};`);
  const text = [...constants, ...groups].join("\n\n");
  const imported = text.includes("types.") ? 'import type * as types from "./types.ts";\n\n' : "";
  const comment = uses[0] === undefined ? "" : moduleComment(`The examples of ${title}.`, uses[0]);
  return `${comment}${text.includes(asserted) ? reason : ""}${imported}${text === "" ? "export {};" : text}\n`;
}

const asserted = " as never";
const reason =
  "// oxlint-disable typescript/consistent-type-assertions -- Types cannot express all that makes an example valid.\n\n";

function examplesByPart(
  operation: Operation,
  types: TypeNames,
  write: (schema: SchemaObject, value: unknown) => string,
): Readonly<Record<string, readonly TypedExample[]>> {
  const { requestBody, responses } = operation;
  const successes = successResponses(operation);
  const failures = responses.filter((response) => !successes.includes(response));
  const typed = (bodies: readonly { readonly status?: string; readonly content: readonly MediaType[] }[]) =>
    distinctNames(
      bodies.flatMap(({ status, content }) =>
        content.flatMap((media) => {
          const type = types.ofContent(operation, status, media);
          return media.examples.map(({ name, value }) => ({ name, type, value, text: write(media.schema, value) }));
        }),
      ),
    );
  return { Request: typed(requestBody ? [requestBody] : []), Response: typed(successes), Failure: typed(failures) };
}

/** Examples of several statuses or media types can have one name. */
function distinctNames(examples: readonly TypedExample[]): readonly TypedExample[] {
  const used = new Set<string>();
  return examples.map((example) => {
    const names = [example.name, ...examples.map((_, index) => `${example.name}${index + 2}`)];
    const name = names.find((candidate) => !used.has(candidate)) ?? example.name;
    used.add(name);
    return { ...example, name };
  });
}
