import { printProgress, type Values } from "../command/commandLine.ts";
import { readBaseUrl } from "../contract/defaultAddress.ts";
import { UserError } from "../contract/failures.ts";
import type { Generation } from "../contract/generation.ts";
import { credentialVariables } from "../contract/security.ts";
import type { DocsSource } from "./readDocs.ts";

/** The help of the command. It lists the environment variables for the credentials of `generations`. */
export function mcpSummary(generations: readonly Generation[]): string {
  return [
    "Runs an MCP server over stdio, which lets an agent read the docs and call the API.",
    "",
    "Calls go to a mock in this process, unless you name a server. It gets only GET",
    "requests, unless you allow others. Its credentials come from the environment:",
    ...credentialVariables(generations).map((name) => `  ${name}`),
  ].join("\n");
}

export const mcpOptions = {
  server: { type: "string", value: "URL", description: "the server that calls go to" },
  "allow-changes": { type: "boolean", description: "let agents change data on it" },
  "allow-deletes": { type: "boolean", description: "let agents delete data, too" },
  timeout: { type: "string", value: "SECONDS", default: "30", description: "for each call" },
} as const;

/** Serves an agent until its input ends. Throws {@link UserError} for an invalid option. */
export async function runMcp(
  values: Values<typeof mcpOptions>,
  own: Readonly<Record<"name" | "version", string>>,
  generations: readonly Generation[],
  loadDocs: () => Promise<DocsSource>,
): Promise<void> {
  const { "allow-changes": allowsChanges = false, "allow-deletes": allowsDeletes = false } = values;
  if (values.server === undefined && (allowsChanges || allowsDeletes))
    throw new UserError("--allow-changes and --allow-deletes need --server: the mock accepts all calls");
  if (allowsDeletes && !allowsChanges) throw new UserError("--allow-deletes needs --allow-changes");
  const refusal = "--server must be an http or https URL, without a query or a password";
  const server = values.server === undefined ? undefined : readBaseUrl(values.server, refusal);
  const timeout = Number(values.timeout) * 1_000;
  if (!(timeout > 0 && timeout < 2 ** 31)) throw new UserError("--timeout must be a number of seconds above 0");
  const { serveMcp } = await import("./mcpServer.ts");
  serveMcp({
    ...own,
    ...{ generations, server, allowsChanges, allowsDeletes, timeout, environment: process.env },
    loadDocs,
    onProblem: printProgress,
  });
}
