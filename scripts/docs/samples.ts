import { curlCommand, exampleRequest, firstAlternative, type ExampleRequest } from "../contract/exampleRequest.ts";
import { jsonContent, serverUrl, type Operation } from "../contract/generation.ts";
import { typeScriptSample } from "./typeScriptSample.ts";

/** A piece of code that sends one of an operation's example requests. */
export interface Sample {
  readonly lang: "TypeScript" | "curl";
  /** The language, and the name of the body's example if there are several. */
  readonly label: string;
  readonly source: string;
}

/** The samples of an operation by language: one for each named example of its request body. */
export function samplesOf(operation: Operation, module: string): readonly Sample[] {
  const server = serverUrl(operation.document);
  const schemes = firstAlternative(operation);
  const names = jsonContent(operation.requestBody?.content)?.examples.map(({ name }) => name) ?? [];
  const requests = (names.length > 0 ? names : [undefined]).map((body) => ({
    suffix: names.length > 1 ? `: ${body ?? ""}` : "",
    request: exampleRequest(operation, { body, schemes }),
  }));
  const samples = (lang: Sample["lang"], write: (request: ExampleRequest) => string) =>
    requests.map(({ suffix, request }) => ({ lang, label: `${lang}${suffix}`, source: write(request) }));
  return [
    ...samples("TypeScript", (request) => typeScriptSample(operation, request, { module, server, schemes })),
    ...samples("curl", (request) => curlCommand(server, request)),
  ];
}
