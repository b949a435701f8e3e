import { curlCommand } from "../samples/curlCommand.ts";
import { sampleRequest } from "../samples/exampleRequest.ts";
import { serializeRequest } from "../samples/serializeRequest.ts";
import { reportOf } from "../contract/failures.ts";
import { selectByName, type Generation } from "../contract/generation.ts";
import { countOf } from "../values/text.ts";
import type { TextStyle } from "../values/textStyle.ts";
import { describeSchemaFaults } from "../exchange/contractFaults.ts";
import type { Upstream } from "../mock/mockTypes.ts";
import type { MockServer, ServerOptions } from "../mock/server/server.ts";
import { basePaths } from "../spec/openapi.ts";
import { listen, printLine, printProgress } from "./commandLine.ts";
import { terminalStyle } from "./terminal.ts";
import { formatDuration, formatTime } from "./times.ts";

export const mockSummary =
  "Runs a mock server until stopped: it follows the contract, is stateful, and explains each rejected request.";

/**
 * Serves generations until `stopped` resolves. Throws {@link UserError} if the port or the host isn't
 * available.
 */
export async function serveGenerations(options: ServerOptions, stopped: Promise<void>): Promise<void> {
  await using mock = await listen(options);
  announce(mock, selectByName(options.generations, options.generation), options);
  printReady();
  await stopped;
}

/**
 * Prints the addresses of the mock, its page and its upstream, the generations, and a sample request. `others` are
 * more paths by their labels. The first line has only the base URL, for programs.
 */
export function announce(
  { url }: Pick<MockServer, "url">,
  generations: readonly Generation[],
  { upstream }: Pick<ServerOptions, "upstream">,
  others: Readonly<Record<string, string>> = {},
): void {
  const counts = generations.map(countOperations).join(", ");
  const paths = Object.entries({ ...others, Mock: "", "Mock's page": "/-/mock/" });
  const width = Math.max(...paths.map(([label]) => label.length));
  printLine(`Listening on ${url}`);
  for (const [label, path] of paths) {
    const row = `  ${label.padEnd(width)}  ${terminalStyle(process.stdout).paint("cyan", url + path)}`;
    printLine(path === "" ? `${row}  ${counts}` : row);
  }
  if (upstream !== undefined) printLine(`  ${"Upstream".padEnd(width)}  ${describeUpstream(upstream)}`);
  for (const base of new Set(generations.flatMap(({ document }) => basePaths(document))))
    printLine(`The base path ${base} of the contract's server isn't served`);
  const gets = generations.flatMap(({ operations }) => operations.filter(({ method }) => method === "get"));
  const requests = gets.map((operation) => serializeRequest(sampleRequest(operation, url)));
  // A parameter without an example leaves its name in the path.
  const request = requests.find((one) => !one.url.includes("{"));
  if (request !== undefined) printLine(`Try it: ${curlCommand(request).replaceAll(" \\\n  ", " ")}`);
  printFaults(generations);
}

/** The server behind the mock, and the operations that are forwarded to it. */
function describeUpstream(upstream: NonNullable<ServerOptions["upstream"]>): string {
  const { url, operations }: Upstream = typeof upstream === "string" ? { url: upstream } : upstream;
  const forwarded = operations === undefined ? "gets all requests" : `gets requests for ${operations.join(", ")}`;
  return `${terminalStyle(process.stdout).paint("cyan", url)}  ${forwarded}`;
}

/** Prints how long the process took to start. */
export function printReady(): void {
  printLine(`Ready after ${formatDuration(performance.now())}`);
}

const listedFaults = 10;

/** Prints the unusable schemas. The mock can't check requests and responses that need them. */
function printFaults(generations: readonly Generation[]): void {
  const faults = generations.flatMap((one) => describeSchemaFaults(one).map((fault) => `${one.name}: ${fault}.`));
  const rest = faults.length - listedFaults;
  for (const fault of faults.slice(0, listedFaults)) printProblem(`Unusable: ${fault}`, "yellow");
  if (rest > 0) printProblem(`Also unusable: ${countOf(rest, "other schema")}.`, "yellow");
}

/**
 * Makes a mock serve a saved contract, and prints a message. `since` is the start of reading, in milliseconds
 * since the epoch.
 */
export function reload(
  { replace }: Pick<MockServer, "replace">,
  { generations, since }: { readonly generations: readonly Generation[]; readonly since: number },
): void {
  for (const dropped of replace(generations)) printProblem(`Dropped from the state: ${dropped}`);
  printEvent(`Reloaded in ${formatDuration(Date.now() - since)}: ${generations.map(countOperations).join(", ")}`);
  printFaults(generations);
}

/** Prints a line with the time, as those of requests. */
export function printEvent(text: string): void {
  printLine(`${formatTime(new Date())} ${text}`);
}

/** Prints why a saved contract isn't served or, if it is, why work on it stopped. */
export function printMistake(failure: unknown, isServed: boolean): void {
  const style = terminalStyle(process.stderr);
  const heading = isServed ? "Served, but generated/ is out of date" : "Not reloaded";
  printProgress(`${style.paint("red", `${formatTime(new Date())} ${heading}`)}\n${reportOf(failure, style)}`);
}

/** Prints lint's findings, without delaying anything. */
export async function printWarnings({ lint }: { readonly lint: (style: TextStyle) => Promise<string> }): Promise<void> {
  const text = await lint(terminalStyle(process.stderr));
  if (text !== "") printProgress(text);
}

/** Prints a problem of one line on stderr. */
function printProblem(text: string, color: "red" | "yellow" = "red"): void {
  printProgress(terminalStyle(process.stderr).paint(color, text));
}

function countOperations({ name, operations }: Generation): string {
  return `${name}: ${countOf(operations.length, "operation")}`;
}
