import { defaultMockUrl } from "../contract/defaultAddress.ts";
import { isSafe } from "../contract/generation.ts";
import { stringOf } from "../values/json.ts";
import { createCaller, type CallerOptions, type ToolAnswer } from "./calls.ts";
import { findOperation, listOperations, notInContract } from "./operations.ts";
import { createDocsReader, type DocsSource } from "./readDocs.ts";
import { notSent } from "./writeCall.ts";

export interface ToolOptions extends CallerOptions {
  readonly allowsChanges: boolean;
  readonly loadDocs: () => Promise<DocsSource>;
}

/** The arguments of a tool call, by name. */
export type ToolArguments = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly description: string;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint?: boolean };
  /** The JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Throws or rejects with an error whose message explains the problem. */
  readonly run: (values: ToolArguments, signal: AbortSignal) => Promise<ToolAnswer | string> | string;
}

/** For tools that only read. */
const annotations = { readOnlyHint: true };

/** Makes the tools by name. `rest` returns the rest of a long answer by name, and else `undefined`. */
export function createTools(
  options: ToolOptions,
  rest: (name: string) => string | undefined,
): Readonly<Record<string, Tool>> {
  const { generations, server, allowsChanges } = options;
  const docs = createDocsReader(generations, options.loadDocs);
  const call = createCall(options, docs.nearestOperations);
  const target = server === undefined ? "a mock in this process" : `${server}, if the contract allows the request`;
  const readingTools: Readonly<Record<string, Tool>> = {
    search_docs: {
      description: "Searches the API's docs: guides, operations, schemas, the TypeScript client, the mock",
      annotations,
      inputSchema: schemaWith({ query: text }, ["query"]),
      run: ({ query }) => docs.search(String(query)),
    },
    read_docs: {
      description:
        "Reads a page or section that search_docs names, an operation by its operationId, or a schema by its name",
      annotations,
      inputSchema: schemaWith({ page: text }, ["page"]),
      run: async ({ page }) => rest(String(page)) ?? noteServer(await docs.read(String(page)), server),
    },
    list_operations: {
      description: `Lists the API's operations by group. ${notInContract}`,
      annotations,
      inputSchema: schemaWith({ generation, group: text }),
      run: (values) => listOperations(generations, stringOf(values["generation"]), stringOf(values["group"])),
    },
    call_read: {
      description: `Calls an operation that only reads (GET). It goes to ${target}`,
      annotations,
      inputSchema: schemaWith(callArguments, ["operation"]),
      run: (values, signal) => call(values, signal, true),
    },
  };
  const changingTool: Tool = {
    description: `Calls an operation that changes or deletes data. It goes to ${target}`,
    annotations: { readOnlyHint: false, destructiveHint: true },
    inputSchema: schemaWith({ ...callArguments, body: bodyArgument }, ["operation"]),
    run: (values, signal) => call(values, signal, false),
  };
  return server === undefined || allowsChanges ? { ...readingTools, call_change: changingTool } : readingTools;
}

/** Makes a function that finds and calls an operation. The engine for calls is made on the first one. */
function createCall(options: ToolOptions, nearest: (words: string) => Promise<readonly string[]>) {
  let caller: ReturnType<typeof createCaller> | undefined;
  return async (values: ToolArguments, signal: AbortSignal, isRead: boolean) => {
    const found = await findOperation(options.generations, values, nearest);
    if (isRead && !isSafe(found.operation))
      throw notSent("it changes data. Use call_change, which exists if the user allows changes.");
    if (!isRead && isSafe(found.operation)) throw notSent("it only reads. Use call_read.");
    return (caller ??= createCaller(options))(found, values, signal);
  };
}

/** A page of the docs. If its requests go to the mock, but calls go to a server, it says so first. */
function noteServer(page: string, server: string | undefined): string {
  if (server === undefined || !page.includes(defaultMockUrl)) return page;
  return `[${defaultMockUrl} is a mock. Tools call ${server} instead.]\n\n${page}`;
}

/** The limit for names and queries. */
const text = { type: "string", maxLength: 500 };
const generation = { ...text, description: "such as v2" };
const parameters = { type: "object", description: "values by name" };
const callArguments = {
  operation: { ...text, description: "operationId, or method and path" },
  generation,
  ...{ path: parameters, query: parameters, headers: parameters },
};
const bodyArgument = { description: "JSON, or a form's fields as an object" };

function schemaWith(properties: Tool["inputSchema"], required: readonly string[] = []): Tool["inputSchema"] {
  return { type: "object", properties, required, additionalProperties: false };
}
