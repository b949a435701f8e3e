import { curlCommand, exampleRequest } from "../../contract/exampleRequest.ts";
import { jsonContent, type Operation } from "../../contract/generation.ts";
export interface Sample {
  readonly language: string;
  readonly label: string;
  readonly highlight: string;
  readonly example: string | undefined;
  readonly source: string;
}
export function samplesOf(operation: Operation, { server }: { module: string; server: string }): readonly Sample[] {
  const names = jsonContent(operation.requestBody?.content)?.examples.map(({ name }) => name) ?? [undefined];
  return names.flatMap((example) =>
    ["typescript", "fetch", "curl", "python"].map((language) => ({
      language,
      label: language,
      highlight: "bash",
      example,
      source: curlCommand(server, exampleRequest(operation, { body: example })),
    })),
  );
}
