import { curlCommand } from "../../samples/curlCommand.ts";
import { sampleRequest } from "../../samples/exampleRequest.ts";
import { serializeRequest } from "../../samples/serializeRequest.ts";
import type { GenerationModel } from "./generationModel.ts";
import type { Site } from "./site.ts";

/** The call's address on the start page. */
export const firstCallId = "first-call";

/**
 * A request that anybody can send at once, as a curl command with its response: one that only reads, and is as short as
 * possible. `undefined` if there is none.
 */
export function findFirstCall(site: Site) {
  const [call] = site.contents.flatMap((content) => readingCalls(site, content));
  return call;
}

/** The operations that only read and whose example has a response, with a command that calls each: the shortest first. */
function readingCalls(site: Site, { generation, operations }: GenerationModel) {
  const calls = generation.operations.flatMap((operation) => {
    const { method, lifecycle } = operation;
    const response = operations.get(operation)?.examples[0]?.response;
    if (method !== "get" || lifecycle.isDeprecated || response === undefined) return [];
    const source = curlCommand(serializeRequest(sampleRequest(operation, site.serverOf(operation).url)));
    return source.includes("{") ? [] : [{ generation, operation, source, response }];
  });
  return calls.sort((a, b) => a.source.length - b.source.length);
}
