import { McpServer, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { messageOf } from "../contract/failures.ts";
import { createValidator } from "../exchange/validator.ts";
import { isObject } from "../values/json.ts";
import { createCutter } from "./longAnswers.ts";
import { notInContract } from "./operations.ts";
import { createTools, type Tool, type ToolArguments, type ToolOptions } from "./tools.ts";

export interface McpOptions extends ToolOptions {
  readonly name: string;
  readonly version: string;
  /** Called for problems with the connection. */
  readonly onProblem: (message: string) => void;
}

const instructions = `${notInContract} Don't guess facts that the docs call unspecified.`;

/** Serves the docs and the contract's operations over standard input and output, until the input ends. */
export function serveMcp({ name, version, onProblem, ...options }: McpOptions): void {
  const { cut, rest } = createCutter();
  const tools = Object.entries(createTools(options, rest));
  const makeServer = () => {
    const server = new McpServer({ name, version }, { instructions });
    for (const [tool, { description, annotations, inputSchema, run }] of tools) {
      const described = { description, annotations, inputSchema: schemaOf(inputSchema) };
      server.registerTool(tool, described, async (values, { mcpReq }) => {
        const answer = await run(values, mcpReq.signal);
        const { text, isError } = typeof answer === "string" ? { text: answer, isError: false } : answer;
        return { content: [{ type: "text", text: cut(text) }], isError };
      });
    }
    return server;
  };
  const onerror = (error: unknown) => {
    // The SDK's validator lists every kind of message with what it lacks.
    const isInvalid = error instanceof Error && error.name === "ZodError";
    onProblem(
      isInvalid ? "A message was ignored, because it isn't JSON-RPC 2.0" : `The connection failed: ${messageOf(error)}`,
    );
  };
  serveStdio(makeServer, { onerror });
}

/** A schema for the SDK, with the validator that also checks requests. */
function schemaOf(schema: Tool["inputSchema"]): StandardSchemaWithJSON<ToolArguments> {
  const validator = createValidator(schema, schema);
  const validate = (value: unknown) => {
    const { violations } = validator(value);
    const issues = violations.map(({ pointer, message }) => ({ message: `${pointer.slice(1)} ${message}`.trim() }));
    return issues.length === 0 && isObject(value) ? { value } : { issues };
  };
  const jsonSchema = { input: () => schema, output: () => schema };
  return { "~standard": { version: 1, vendor: "json-schema", validate, jsonSchema } };
}
