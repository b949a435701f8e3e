import { styleText } from "node:util";
import { curlCommand } from "../samples/curlCommand.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import { writeRequest } from "../samples/writeRequest.ts";
import { selectByName, type Generation } from "../contract/generation.ts";
import { countOf } from "../contract/text.ts";
import { describeSchemaFaults } from "../exchange/contractFaults.ts";
import type { MockServer, ServerOptions } from "../mock/server/server.ts";
import { listen, printLine } from "./commandLine.ts";

export const mockSummary =
  "Runs a mock server until stopped: it behaves as the contract says, remembers what requests change, and explains what it rejects.";

/** Serves generations until `stopped` resolves. Throws {@link UserError} if the port or the host is not available. */
export async function serveGenerations(options: ServerOptions, stopped: Promise<void>): Promise<void> {
  await using mock = await listen(options);
  announce(mock, selectByName(options.generations, options.generation));
  await stopped;
}

/** Prints where the mock and its page are, what it serves, and a request to try. */
export function announce(mock: MockServer, generations: readonly Generation[]): void {
  printLine(`Listening on ${mock.url}`);
  for (const generation of generations) printLine(`  ${countOperations(generation)}`);
  const gets = generations.flatMap(({ operations }) => operations.filter(({ method }) => method === "get"));
  const requests = gets.map((operation) => writeRequest(sampleRequest(operation, mock.url)));
  // A parameter without an example leaves its name in the path.
  const request = requests.find(({ url }) => !url.includes("{"));
  if (request !== undefined) printLine(`Try it: ${curlCommand(request).replaceAll(" \\\n  ", " ")}`);
  printLine(`Watch it: ${mock.url}/-/mock/`);
  printFaults(generations);
}

const listedFaults = 10;

/** Says which schemas nothing can be held against: of requests and responses that need them, the mock can say nothing. */
function printFaults(generations: readonly Generation[]): void {
  const faults = generations.flatMap((one) => describeSchemaFaults(one).map((fault) => `${one.name}: ${fault}.`));
  const rest = faults.length - listedFaults;
  for (const fault of faults.slice(0, listedFaults)) printProblem(`Cannot be used: ${fault}`, "yellow");
  if (rest > 0) printProblem(`Cannot be used either: ${countOf(rest, "other schema")}.`, "yellow");
}

/** Has a mock serve what has been saved, and says so. `since` is when reading it began, in milliseconds since the epoch. */
export function reload(
  { replace }: Pick<MockServer, "replace">,
  { generations, since }: { readonly generations: readonly Generation[]; readonly since: number },
): void {
  for (const dropped of replace(generations)) printProblem(`Dropped from the state: ${dropped}`);
  printLine(`Reloaded in ${Date.now() - since} ms: ${generations.map(countOperations).join(", ")}`);
  printFaults(generations);
}

/** Prints what lint finds, if anything: it holds nothing up. */
export async function printWarnings({ lint }: { readonly lint: () => Promise<string> }): Promise<void> {
  const text = await lint();
  if (text !== "") printProblem(text, "yellow");
}

export function printProblem(text: string, color: "red" | "yellow" = "red"): void {
  process.stderr.write(`${styleText(color, text, { stream: process.stderr })}\n`);
}

function countOperations({ name, operations }: Generation): string {
  return `${name}: ${countOf(operations.length, "operation")}`;
}
