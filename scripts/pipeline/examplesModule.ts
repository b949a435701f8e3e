import { successResponses, type Generation, type MediaType, type Operation } from "../contract/generation.ts";
import { distinctName } from "../values/text.ts";
import { filesIn, valueWithFiles, type SampleFiles } from "../samples/sampleFiles.ts";
import { memberAccess, objectText, propertyName } from "../samples/javaScriptText.ts";
import { createNames, createTypeNames, moduleText, operationKey, type TypeNames } from "./moduleText.ts";

interface TypedExample {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
  /** The files within the value. */
  readonly files: SampleFiles;
}

/**
 * Generates a generation's examples module, which is beside its `types.ts`. It has the examples of each
 * operation and those among the components. Each has the type of its body. Lint reports examples that are
 * invalid.
 */
export function generateExamples({ document, operations, title }: Generation): string {
  const typeNames = createTypeNames(document);
  const nameOf = createNames(["types"]);
  // All references to a target share one object.
  const componentOf = new Map<unknown, string>();
  for (const [key, example] of Object.entries(document.components?.examples ?? {})) {
    if ("value" in example) componentOf.set(example.value, nameOf(key));
  }
  const shared = new Map<string, string>();
  const textOf = ({ type, value, files }: TypedExample) => {
    const name = componentOf.get(value);
    const text = valueWithFiles(value, files);
    if (name === undefined) return text;
    if (!shared.has(name)) shared.set(name, `export const ${name}: ${type} = ${text};`);
    return name;
  };
  const uses: string[] = [];
  const groups = operations.flatMap((operation) =>
    Object.entries(examplesByPart(operation, typeNames)).flatMap(([part, examples]) => {
      if (examples.length === 0) return [];
      const name = nameOf(operationKey(operation) + part);
      uses.push(...examples.map((example) => `const response = Response.json(${name}${memberAccess(example.name)});`));
      const members = examples.map((example) => `  readonly ${propertyName(example.name)}: ${example.type};`);
      const texts = Object.fromEntries(examples.map((example) => [example.name, textOf(example)]));
      return [`export const ${name}: {\n${members.join("\n")}\n} = ${objectText(texts)};`];
    }),
  );
  const [example] = uses;
  if (example === undefined) return moduleText({ parts: [] });
  const parts = [...shared.values(), ...groups];
  const imported = parts.some((part) => part.includes("types.")) ? 'import type * as types from "./types.ts";' : "";
  return moduleText({ about: `The examples of ${title}.`, example, imports: [unchecked, imported], parts });
}

const unchecked =
  "// oxlint-disable-next-line typescript/ban-ts-comment -- Types cannot express every constraint on an example.\n" +
  "// @ts-nocheck\n";

function examplesByPart(operation: Operation, types: TypeNames): Readonly<Record<string, readonly TypedExample[]>> {
  const { requestBody, responses } = operation;
  const successes = successResponses(operation);
  const failures = responses.filter((response) => !successes.includes(response));
  // Examples of several statuses or media types may share a name.
  const typed = (bodies: readonly { readonly status?: string; readonly content: readonly MediaType[] }[]) => {
    const used = new Set<string>();
    return bodies.flatMap(({ status, content }) =>
      content.flatMap((media) => {
        const type = types.ofContent(operation, status, media);
        const files = filesIn(operation, media);
        return media.examples.map(({ name, value }) => ({ name: distinctName(name, used, ""), type, value, files }));
      }),
    );
  };
  return { Request: typed(requestBody ? [requestBody] : []), Response: typed(successes), Failure: typed(failures) };
}
