import { deprecationText } from "../spec/lifecycle.ts";
import { gapsByOperation, gapText, type GapPlace } from "../contract/gaps.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import { neededCredentials, needText } from "../contract/security.ts";
import { groupBy } from "../contract/text.ts";
import { singleValuedHeaders } from "../contract/singleValuedHeaders.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import { lastArgument, literal } from "../samples/javaScriptText.ts";
import { parametersByPlace } from "../samples/typeScriptSample.ts";
import { clientExport, createNames, operationKey } from "./generatedNames.ts";
import { docComment, moduleComment, renamed } from "./typeScriptText.ts";

/**
 * Makes the text of a generation's operations module, which lies beside its `client.ts`: for each operation a function
 * that calls it, with what the contract says of it as its comment. Editors show that where a call is written, which they
 * do not for a path.
 */
export function generateOperations(generation: Generation): string {
  const { document, operations } = generation;
  if (operations.length === 0) return "export {};\n";
  const gaps = gapsByOperation(generation);
  const imported = ["Client", "Operations"].map((name) => renamed(clientExport(name, document), name));
  const nameOf = createNames(["Client", "InitArgument", "Operations", "ParseAs", "InitOfOne", "ContractResult"]);
  const named = operations.map((operation) => ({ name: nameOf(operationKey(operation)), operation }));
  const functions = named.map(
    ({ name, operation }) => operationComment(operation, gaps.get(operation)) + callingFunction(name, operation),
  );
  const calls = named
    .map(({ name, operation }) => exampleCall(name, operation))
    .toSorted((a, b) => a.length - b.length);
  const example = `const { data, error } = await ${calls.find((call) => call.includes("params")) ?? calls[0] ?? ""};`;
  return `${moduleComment(`A function for each operation of ${generation.title}.`, example)}import type { ParseAs } from "openapi-fetch";
import type { InitArgument, InitOfOne, Result as ContractResult } from "../../scripts/client/index.ts";
import type { ${imported.join(", ")} } from "./client.ts";

${functions.join("\n\n")}

// By method and path: an editor shows a call's types as they are written here, and no operation as a whole.
type Init<Method extends keyof Operations, Path extends keyof Operations[Method], As extends ParseAs> =
  InitOfOne<Operations[Method][Path], As>;

type Result<Method extends keyof Operations, Path extends keyof Operations[Method], As extends ParseAs> =
  ContractResult<Operations[Method][Path], As>;
`;
}

function callingFunction(name: string, { method, path: template }: Operation): string {
  const path = JSON.stringify(template);
  const operation = `"${method}", ${path}, As`;
  return `export function ${name}<As extends ParseAs = "json">(
  client: Client,
  ...paramsAndBody: InitArgument<Init<${operation}>>
): Promise<Result<${operation}>> {
  return client.${method.toUpperCase()}(${path}, ...paramsAndBody);
}`;
}

/** A call of a function of an operation with a client and the contract's examples. */
export function exampleCall(name: string, operation: Operation): string {
  const { body, ...request } = sampleRequest(operation, "");
  const headers = singleValuedHeaders(operation).map(([header]) => header);
  const params = parametersByPlace(request, headers);
  const init = {
    ...(Object.keys(params).length > 0 && { params: literal(params) }),
    ...(body !== undefined && { body: literal(body) }),
  };
  return `${name}(client${lastArgument(init)})`;
}

/** The comment with all that editors show of an operation, in Markdown. */
export function operationComment(operation: Operation, gaps: readonly GapPlace[] = []): string {
  const { name, title, description, lifecycle } = operation;
  const deprecation = deprecationText(lifecycle);
  const unspecified = describeGaps(operation, gaps);
  const parts = [
    ...(title === name ? [] : [title]),
    ...(description === "" ? [] : [description.trim()]),
    `\`${name}\``,
    `Credentials: ${describeCredentials(operation)}.`,
    ...(unspecified.length === 0 ? [] : [["Not specified:", ...unspecified].join("\n- ")]),
    ...(lifecycle.since === undefined ? [] : [`Since ${lifecycle.since}.`]),
    ...(deprecation === undefined ? [] : [`@${deprecation}`]),
  ];
  return docComment(parts.join("\n\n"));
}

function describeCredentials(operation: Operation): string {
  const { need, alternatives } = neededCredentials(operation);
  if (need === "none") return "none";
  const listed = alternatives.map((schemes) => schemes.map(({ name }) => `\`${name}\``).join(" with "));
  return listed.join(", or ") + needText[need];
}

/** The gaps of an operation, of its credentials and of all that it refers to, a line for each place. */
function describeGaps({ security }: Operation, gaps: readonly GapPlace[]): readonly string[] {
  const schemes = new Set(security.flat());
  const ofSchemes = [...schemes].map(({ name, unspecified }) => ({ place: name, gaps: unspecified }));
  return [...groupBy([...gaps, ...ofSchemes], ({ place }) => place)].flatMap(([place, parts]) => {
    const gaps = new Set(parts.flatMap((part) => part.gaps.map(gapText)));
    return gaps.size === 0 ? [] : [`${place === "" ? "" : `${place}: `}${[...gaps].join(", ")}`];
  });
}
