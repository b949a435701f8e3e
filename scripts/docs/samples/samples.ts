import type { Document, OperationEntry } from "../../contract/document.ts";
import { exampleRequest, firstSchemes, requestExamples } from "../../contract/exampleRequest.ts";
import { serverAddress } from "../server.ts";
import { curlSample } from "./curl.ts";
import { typescriptSample } from "./typescript.ts";

/** A piece of code that sends one of an operation's example requests. */
export interface Sample {
  readonly lang: "TypeScript" | "curl";
  /** The language, and the body's example where there are several. */
  readonly label: string;
  readonly source: string;
}

/** The samples of an operation, in the languages' order: one for each named example of its request body. */
export function samplesOf(document: Document, entry: OperationEntry, module: string): readonly Sample[] {
  const server = serverAddress(document);
  const schemes = firstSchemes(entry.operation.security ?? document.security);
  const names = Object.keys(requestExamples(document, entry.operation) ?? {});
  const requests = (names.length > 0 ? names : [undefined]).map((body) => ({
    name: names.length > 1 ? `: ${body ?? ""}` : "",
    request: exampleRequest(document, entry, { body, schemes }),
  }));
  return [
    ...requests.map(({ name, request }) => ({
      lang: "TypeScript" as const,
      label: `TypeScript${name}`,
      source: typescriptSample(document, entry, request, { module, server, schemes }),
    })),
    ...requests.map(({ name, request }) => ({
      lang: "curl" as const,
      label: `curl${name}`,
      source: curlSample(server, request),
    })),
  ];
}
