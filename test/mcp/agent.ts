import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** An agent's connection to an MCP server that runs in a process of its own, until it is disposed of. */
export interface Agent extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool. Resolves to the text of its answer, which begins with `error: ` if it is an error. */
  readonly call: (name: string, values?: Record<string, unknown>) => Promise<string>;
  /** Resolves to what the server has printed beside its messages when it ends. */
  readonly errors: Promise<string>;
}

/** Starts a server, by default with Node.js, and connects to it. */
export async function startAgent(
  args: readonly string[],
  { command = process.execPath, env = {} }: { command?: string; env?: Record<string, string> } = {},
): Promise<Agent> {
  const transport = new StdioClientTransport({ command, args: [...args], env, stderr: "pipe" });
  const { stderr } = transport;
  const errors = stderr instanceof Readable ? text(stderr) : Promise.resolve("");
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return {
    client,
    errors,
    call: async (name, values = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: values });
      const [first] = content;
      const said = first?.type === "text" ? first.text : "";
      return isError === true ? `error: ${said}` : said;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
