import { defaultMockUrl } from "../contract/defaultAddress.ts";
import { UserError } from "../contract/failures.ts";
import { isSafe } from "../contract/generation.ts";
import { stringOf } from "../spec/json.ts";
import { createCaller, type CallerOptions, type ToolAnswer } from "./calls.ts";
import { findOperation, listOperations, notInContract } from "./operations.ts";
import { createDocsReader, type DocsSource } from "./readDocs.ts";

export interface ToolOptions extends CallerOptions {
  readonly allowsChanges: boolean;
  readonly loadDocs: () => Promise<DocsSource>;
}

/** The arguments of a tool call, by name. */
export type ToolArguments = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly description: string;
  readonly isReadOnly: boolean;
  /** The JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Throws or rejects with an error whose message explains the problem. */
  readonly run: (values: ToolArguments, signal: AbortSignal) => Promise<ToolAnswer | string> | string;
}

/** Makes the tools by name. `rest` returns the rest of a long answer by its name, and `undefined` for other names. */
export function createTools(options: ToolOptions, rest: (name: string) => string | undefined) {
  const { generations, server, allowsChanges, loadDocs } = options;
  const docs = createDocsReader(loadDocs);
  let caller: ReturnType<typeof createCaller> | undefined;
  const call = async (values: ToolArguments, signal: AbortSignal, isRead: boolean) => {
    const found = await findOperation(generations, values, docs.nearestOperations);
    if (isRead && !isSafe(found.operation))
      throw new UserError(
        "Not sent, because it changes data. Use call_change, which exists if the user allows changes.",
      );
    if (!isRead && isSafe(found.operation)) throw new UserError("Not sent, because it only reads. Use call_read.");
    return (caller ??= createCaller(options))(found, values, signal);
  };
  const target = server === undefined ? "a mock in this process" : `${server}, if the contract allows the request`;
  const searchDocs: Tool = {
    description: "Searches the API's docs: guides, operations, schemas, the TypeScript client, the mock",
    isReadOnly: true,
    inputSchema: schemaWith({ query: text }, ["query"]),
    run: ({ query }) => docs.search(String(query)),
  };
  const readDocs: Tool = {
    description:
      "Reads a page or section that search_docs names, an operation by its operationId, or a schema by its name",
    isReadOnly: true,
    inputSchema: schemaWith({ page: text }, ["page"]),
    run: async ({ page }) => {
      const known = rest(String(page));
      if (known !== undefined) return known;
      const content = await docs.read(String(page));
      const isElsewhere = server !== undefined && content.includes(defaultMockUrl);
      return isElsewhere ? `[${defaultMockUrl} is a mock. Tools call ${server} instead.]\n\n${content}` : content;
    },
  };
  const listTool: Tool = {
    description: `Lists the API's operations by group. ${notInContract}`,
    isReadOnly: true,
    inputSchema: schemaWith({ generation, group: text }),
    run: (values) => listOperations(generations, stringOf(values["generation"]), stringOf(values["group"])),
  };
  const callRead: Tool = {
    description: `Calls an operation that only reads (GET). It goes to ${target}`,
    isReadOnly: true,
    inputSchema: schemaWith(callArguments, ["operation"]),
    run: (values, signal) => call(values, signal, true),
  };
  const tools: Record<string, Tool> = {
    search_docs: searchDocs,
    read_docs: readDocs,
    list_operations: listTool,
    call_read: callRead,
  };
  if (server !== undefined && !allowsChanges) return tools;
  const callChange: Tool = {
    description: `Calls an operation that changes or deletes data. It goes to ${target}`,
    isReadOnly: false,
    inputSchema: schemaWith({ ...callArguments, body: { description: "JSON, or a form's fields as an object" } }, [
      "operation",
    ]),
    run: (values, signal) => call(values, signal, false),
  };
  return { ...tools, call_change: callChange };
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

function schemaWith(properties: Tool["inputSchema"], required: readonly string[] = []): Tool["inputSchema"] {
  return { type: "object", properties, required, additionalProperties: false };
}
