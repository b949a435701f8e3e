import type { Generation, MediaType, Operation } from "../contract/generation.ts";
import { contentType, createNames, operationKey } from "./generatedNames.ts";
import { literal, objectText } from "./javaScriptText.ts";

/**
 * Makes the text of a generation's examples module, which lies beside its `types.ts`, whose text is given: the named
 * examples of each operation's requests, successes and failures, and those in components, each of the type of the body
 * that it is an example of.
 */
export function generateExamples({ document, operations }: Generation, types: string): string {
  const nameOf = createNames([]);
  const components = new Map(
    Object.entries(document.components?.examples ?? {}).flatMap(([key, example]) =>
      "value" in example && typeof example.value === "object" ? [[example.value as unknown, nameOf(key)] as const] : [],
    ),
  );
}
