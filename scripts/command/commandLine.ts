import { parseArgs, type ParseArgsOptionDescriptor } from "node:util";
import { readBaseUrl } from "../contract/defaultAddress.ts";
import { errorCode, messageOf, UserError } from "../contract/failures.ts";
import { selectByName, type Generation } from "../contract/generation.ts";
import { meantName } from "../values/similarName.ts";
import { wrapText, wrapWords, type TextStyle } from "../values/textStyle.ts";
import type { MockServer, ServerOptions } from "../mock/server/server.ts";
import { printableText, terminalStyle } from "./terminal.ts";
import { formatDuration } from "./times.ts";

/** An option of a command. `value` is its placeholder in the help text, as in `--port PORT`. */
type Option = ParseArgsOptionDescriptor & { readonly description: string; readonly value?: string };

type OptionTable = Readonly<Record<string, Option>>;

interface Command<Options extends OptionTable> {
  /** The command line before the options: `npm run mock`, or `npx` and the name of the package. */
  readonly name: string;
  readonly summary: string;
  readonly options: Options;
  /** The positional arguments, as shown in the usage line. If it is missing, none are allowed. */
  readonly positionals?: string;
  readonly examples: readonly string[];
  /** The version that `--version` prints. If it is missing, there is no such option. */
  readonly version?: string;
  /** The exit code after an error. Default: 1. */
  readonly errorCode?: number;
  /** True if the command waits for people, as servers and questions do. Its duration is then not printed. */
  readonly waits?: true;
  /** Throws {@link UserError} for mistakes that the user can fix. */
  readonly run: (values: Values<Options>, positionals: readonly string[]) => Promise<void>;
}

/** The values of the options. One without a default may be `undefined`. */
export type Values<Options extends OptionTable> = ReturnType<typeof parse<Options>>["values"];

/**
 * Runs a command with the process's arguments. Prints its help, its error, or the duration of a long run, and
 * sets the exit code.
 */
export async function runCommand<const Options extends OptionTable>(command: Command<Options>): Promise<void> {
  const start = performance.now();
  try {
    const args = process.argv.slice(2);
    if (args.includes("--help") || args.includes("-h")) {
      printLine(helpText(command));
      return;
    }
    if (command.version !== undefined && args.includes("--version")) {
      printLine(command.version);
      return;
    }
    const { values, positionals } = parse(command, args);
    await command.run(values, positionals);
  } catch (error) {
    printError(error, terminalStyle(process.stderr));
    process.exitCode = command.errorCode ?? 1;
  } finally {
    if (command.waits === undefined) printLongDuration(performance.now() - start);
  }
}

function printError(error: unknown, style: TextStyle): void {
  const label = "error:";
  const title = style.paint("red", label);
  if (!(error instanceof UserError)) {
    // This is a bug of ours, and a report needs the stack trace.
    printProgress(`${title} ${(error instanceof Error ? error.stack : undefined) ?? messageOf(error)}`);
    return;
  }
  const details = error.details(style);
  if (details !== "") printProgress(`${details}\n`);
  // Painted after it's wrapped, because the codes of colors have no width.
  const lines = `${label} ${error.message}`.split("\n").flatMap((line) => wrapLine(line, style));
  printProgress(title + lines.join("\n").slice(label.length));
}

/** Wraps a line that may be indented. The other lines are indented further. */
export function wrapLine(line: string, style: TextStyle): readonly string[] {
  return wrapText(line, style, "", line.startsWith("  ") ? "    " : "  ");
}

/** Prints on stderr how long a command took, in milliseconds, if it took more than two seconds. */
function printLongDuration(duration: number): void {
  if (duration <= 2_000) return;
  printProgress(terminalStyle(process.stderr).paint("dim", `Took ${formatDuration(duration)}`));
}

/** Resolves when the process receives SIGINT (Ctrl-C) or SIGTERM. */
export function untilStopped(): Promise<void> {
  // `once` of node:events would also listen to `error`.
  return new Promise((resolve) => {
    const stop = () => {
      for (const name of signals) process.off(name, stop);
      resolve();
    };
    for (const name of signals) process.on(name, stop);
  });
}

const signals = ["SIGINT", "SIGTERM"] as const;

/** `--server`, parsed by {@link readServers}. */
export const serversOption = {
  type: "string",
  multiple: true,
  value: "URL",
  description: "where requests go, or v1=URL for one generation; may be repeated",
} as const;

/** The option of commands that read descriptions by their files. */
export const folderOption = {
  type: "string",
  value: "DIR",
  description: "a folder that FILEs may refer to, besides their own",
} as const;

/** Reads `--server`. `URL` applies to all generations, and `v1=URL` to one. Returns URLs by generation. */
export function readServers(texts: readonly string[], generations: readonly Generation[]): ReadonlyMap<string, string> {
  const refusal = "--server must be an http or https URL, without a query or a password; or v1=URL for one generation";
  const servers = new Map<string, string>();
  for (const text of texts) {
    const [name, url] = splitServer(text);
    const server = readBaseUrl(url, refusal);
    for (const generation of selectByName(generations, name)) servers.set(generation.name, server);
  }
  return servers;
}

/** Splits `v1=URL`. The name is `undefined` if there is only a URL, which may contain an equals sign. */
function splitServer(text: string): readonly [name: string | undefined, url: string] {
  const end = text.indexOf("=");
  const name = text.slice(0, Math.max(end, 0));
  const isName = name !== "" && !name.includes(":") && !name.includes("/");
  return isName ? [name, text.slice(end + 1)] : [undefined, text];
}

/** Starts a mock for a command. Throws {@link UserError} if the port or the host is not available. */
export async function listen(options: ServerOptions): Promise<MockServer> {
  // Imported after the command has turned the compile cache on. Without the cache, loading takes half as long
  // again.
  const { startServer } = await import("../mock/server/server.ts");
  const { port = 0, host = "" } = options;
  const notHere = `${host} is not an address of this machine: choose another address with --host`;
  const reasons = new Map([
    [
      "EADDRINUSE",
      `port ${port} of ${host} is in use: stop the program that uses it, or choose another port with --port`,
    ],
    ["EACCES", `port ${port} of ${host} requires more permissions: choose a port above 1023 with --port`],
    ...["EADDRNOTAVAIL", "EAI_AGAIN", "ENOTFOUND"].map((code) => [code, notHere] as const),
  ]);
  return startServer(options).catch((error: unknown) => {
    const reason = reasons.get(errorCode(error) ?? "");
    throw reason === undefined ? error : new UserError(reason);
  });
}

/**
 * Keeps a server running if its output can't be written, because the reader has left or the disk is full.
 * Other commands end with an error.
 */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** Prints one or more lines on stdout. What others wrote in them can't control the terminal. */
export function printLine(line: string): void {
  process.stdout.write(`${printableText(line)}\n`);
}

/** Prints a sentence, which is wrapped in a terminal. */
export function printSentence(sentence: string): void {
  printLine(wrapLine(sentence, terminalStyle(process.stdout)).join("\n"));
}

/** Prints a line of progress on stderr, as {@link printLine} does. */
export function printProgress(line: string): void {
  process.stderr.write(`${printableText(line)}\n`);
}

function parse<const Options extends OptionTable>({ name, options, positionals }: Command<Options>, args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: positionals !== undefined });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The first sentence is the error. The others explain how to escape a leading hyphen.
    const [sentence = error.message] = error.message.split(/\.\s/);
    const reason = describeMistake(args, options) ?? `${sentence}.`;
    // npm keeps options before `--`, but not their values.
    const isValue = errorCode(error) === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL" && name.startsWith("npm ");
    throw new UserError(`${reason}${isValue ? " Options come after --." : ""} See: ${invocation(name)} --help`);
  }
}

/** Describes the first option that is unknown, or else the first one whose value is missing. `undefined` if there is none. */
function describeMistake(args: string[], options: OptionTable): string | undefined {
  const known = Object.keys(options);
  const given = parseArgs({ args, options, strict: false, tokens: true }).tokens.filter(
    (token) => token.kind === "option",
  );
  const unknown = given.find(({ name }) => !known.includes(name));
  if (unknown !== undefined) {
    const meant = meantName(unknown.name, [...known, "help"]);
    return `there is no option ${unknown.rawName}${meant === undefined ? "." : `: did you mean --${meant}?`}`;
  }
  const missing = given.find(({ name, value }) => value === undefined && options[name]?.type === "string");
  return missing && `${missing.rawName} needs a value: ${missing.rawName} ${options[missing.name]?.value ?? "VALUE"}.`;
}

/**
 * Reads an option that has one of some values. Throws {@link UserError} for any other one. `option` is its name, without
 * hyphens.
 */
export function readChoice<Value extends string>(option: string, given: string, values: readonly Value[]): Value {
  const value = values.find((one) => one === given);
  if (value !== undefined) return value;
  throw new UserError(`--${option} must be one of ${values.join(", ")}, not "${given}"${askFor(given, values)}`);
}

/** Reads an option that may have several of some values, separated by commas, as {@link readChoice} does. */
export function readChoices<Value extends string>(
  option: string,
  given: string | undefined,
  values: readonly Value[],
): readonly Value[] {
  const names = given?.split(",").map((name) => name.trim()) ?? [];
  const unknown = names.find((name) => !values.some((value) => value === name));
  if (unknown === undefined) return values.filter((value) => names.includes(value));
  const refusal = `--${option} must be one or more of ${values.join(", ")}, separated by commas, not "${unknown}"`;
  throw new UserError(refusal + askFor(unknown, values));
}

/** Asks whether another name was meant. Empty if none is similar. */
function askFor(given: string, names: readonly string[]): string {
  const meant = meantName(given, names);
  return meant === undefined ? "" : `: did you mean ${meant}?`;
}

/** npm takes options before `--` for its own. */
function invocation(name: string): string {
  return name.startsWith("npm ") ? `${name} --` : name;
}

/** The columns of a help text: what the smallest common terminal shows. */
const columns = 80;

function helpText({ name, summary, options, positionals, examples, version }: Command<OptionTable>): string {
  const rows: (readonly [left: string, right: string])[] = [];
  for (const [option, { value, description, default: preset }] of Object.entries(options)) {
    const left = value === undefined ? `--${option}` : `--${option} ${value}`;
    rows.push([left, preset === undefined ? description : `${description} (default: ${String(preset)})`]);
  }
  if (version !== undefined) rows.push(["--version", "print the version of the package"]);
  rows.push(["-h, --help", "show this text"]);
  const width = Math.max(...rows.map(([left]) => left.length));
  const usage = [invocation(name), ...(positionals === undefined ? [] : [positionals]), "[options]"].join(" ");
  const lines = [...wrapParagraphs(summary), "", `Usage: ${usage}`, "", "Options:"];
  for (const [left, right] of rows) {
    const [first = "", ...others] = wrapWords(right.split(" "), columns - width - 4);
    lines.push(`  ${left.padEnd(width)}  ${first}`, ...others.map((line) => " ".repeat(width + 4) + line));
  }
  lines.push("", examples.length > 1 ? "Examples:" : "Example:");
  for (const example of examples) {
    // A backslash continues a command on the next line. An option keeps its value beside it.
    const parts = wrapWords(example.split(/ (?=--\w)/), columns - 4);
    lines.push(`  ${parts.join(" \\\n    ")}`);
  }
  return lines.join("\n");
}

/** Joins the lines of each paragraph and wraps it. Indented and empty lines stay as they are. */
function wrapParagraphs(text: string): readonly string[] {
  const isSeparate = (line: string) => line === "" || line.startsWith(" ");
  const paragraphs: string[] = [];
  for (const line of text.split("\n")) {
    const last = paragraphs.pop() ?? "";
    if (isSeparate(line) || isSeparate(last)) paragraphs.push(last, line);
    else paragraphs.push(`${last} ${line}`);
  }
  return paragraphs.slice(1).flatMap((line) => (line.startsWith(" ") ? [line] : wrapWords(line.split(" "), columns)));
}
