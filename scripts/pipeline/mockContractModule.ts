import { selectResponse } from "../contract/selectedResponse.ts";
import { jsonContent, type Generation, type Operation, type Response } from "../contract/generation.ts";
import { readResources } from "../contract/resources.ts";
import { propertyName } from "../samples/javaScriptText.ts";
import { lowestDefault } from "../spec/openapi.ts";
import { isDefaultStatus, isStatusRange } from "../spec/statusKeys.ts";
import { createNames, createTypeNames, moduleText, unionOf, type TypeNames } from "./moduleText.ts";

/**
 * Generates the declarations of the module that replaces `mock/mockContract.ts` in the package: the names and responses
 * of the contract, for the types of the mock. They are in a folder beside those of the generations.
 */
export function generateMockContract(generations: readonly Generation[]): string {
  const nameOf = createNames(["MockContract", "DefaultResponse", "OtherResponse", "StatusIn"]);
  const modules = generations.map((generation) => ({ generation, types: nameOf(generation.name) }));
  const imports = modules.map(
    ({ generation: { name }, types }) => `import type * as ${types} from ${JSON.stringify(`../${name}/types.js`)};`,
  );
  const operations = modules.map(({ generation: { name, document, operations: all }, types }) => {
    const typeNames = createTypeNames(document, types);
    const members = all.flatMap((operation) =>
      operation.operationId === undefined
        ? []
        : [
            `      readonly ${propertyName(operation.operationId)}: ${responseTypes(operation, typeNames).join(" | ")};\n`,
          ],
    );
    return `    readonly ${propertyName(name)}: {\n${members.join("")}    };\n`;
  });
  return moduleText({
    imports: [...imports, 'import type { DefaultResponse, OtherResponse, StatusIn } from "./responseTypes.js";'],
    parts: [
      `export interface MockContract {
  readonly operations: {
${operations.join("")}  };
  readonly resource: ${unionOf(resourceNames(generations))};
}`,
    ],
  });
}

function responseTypes(operation: Operation, types: TypeNames): readonly string[] {
  const initial = selectResponse(operation, undefined);
  const typed = operation.responses.map((response) => {
    const { status, content } = response;
    const shown = jsonContent(content) ?? content[0];
    const body = shown === undefined ? "never" : types.ofContent(operation, status, shown);
    const names = new Set(content.flatMap(({ examples }) => examples.map(({ name }) => name)));
    const kind = response.content === initial?.content ? "DefaultResponse" : "OtherResponse";
    return `${kind}<${statusType(response, operation)}, ${body}, ${unionOf([...names])}>`;
  });
  return typed.length === 0 ? ["never"] : typed;
}

/** The type of the status codes that a response is for. */
function statusType({ status }: Response, { responses }: Operation): string {
  if (!isDefaultStatus(status) && !isStatusRange(status)) return status;
  const ranges = responses.filter((one) => isStatusRange(one.status)).map((one) => one.status.charAt(0));
  const all = ["2", "3", "4", "5"].filter((digit) => Number(digit) * 100 >= lowestDefault(responses));
  const digits = isStatusRange(status) ? [status.charAt(0)] : all.filter((digit) => !ranges.includes(digit));
  const codes = responses
    .map((one) => one.status)
    .filter((code) => digits.includes(code.charAt(0)) && !isStatusRange(code));
  const range = `StatusIn<${digits.join(" | ") || "never"}>`;
  return codes.length === 0 ? range : `Exclude<${range}, ${codes.join(" | ")}>`;
}

/** The names of types of resources, and the shorter ones that mean only one of them. */
function resourceNames(generations: readonly Generation[]): readonly string[] {
  const types = [...readResources(generations).values()].filter(({ type }) => type.isFound);
  const names = [...new Set(types.map(({ type }) => type.name))];
  const short = names.map((name) => name.slice(name.indexOf(" ") + 1));
  const unique = short.filter((name) => names.filter((one) => one.endsWith(` ${name}`)).length === 1);
  return [...new Set([...names, ...unique])];
}
