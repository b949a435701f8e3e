import { parseArgs, styleText, type ParseArgsOptionsConfig } from "node:util";

/** An option of a command. `value` names what follows it in the help text, as in `--port PORT`. */
export type Option =
  | { readonly type: "boolean"; readonly description: string }
  | { readonly type: "string"; readonly value: string; readonly description: string; readonly default?: string };

export type Options = Readonly<Record<string, Option>>;

/** What the command line gave: a string option is `undefined` only where it has no default. */
export type Values<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends { type: "boolean" }
    ? boolean
    : O[Name] extends { default: string }
      ? string
      : string | undefined;
};

export interface Command<O extends Options> {
  /** How a person calls it: `npm run mock`. */
  readonly name: string;
  readonly summary: string;
  readonly options: O;
  /** The positional arguments it takes, as shown in the usage line; none are allowed without it. */
  readonly positionals?: string;
  /** Whole command lines that work when pasted. */
  readonly examples: readonly string[];
  /** Resolves to the exit code; nothing stands for 0. Throws {@link CommandError} for what a person can mend. */
  readonly run: (values: Values<O>, positionals: readonly string[]) => Promise<number | undefined>;
}

/** A failure that its reader can mend: its message is all that is printed, without a stack trace. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** Runs a command with the process's arguments: prints its help or its error, and sets the exit code. */
export async function runCommand<O extends Options>(command: Command<O>): Promise<void> {
  try {
    const { values, positionals } = readArguments(command, process.argv.slice(2));
    if (values === undefined) {
      process.stdout.write(helpText(command));
      return;
    }
    process.exitCode = (await command.run(values, positionals)) ?? 0;
  } catch (error) {
    process.stderr.write(`${styleText("red", "error:", { stream: process.stderr })} ${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}

/** Resolves when the process is asked to stop, by Ctrl-C (SIGINT) or by SIGTERM. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      resolve();
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  });
}

/** A system error's code (`EADDRINUSE`), or `undefined` for any other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function describeFailure(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  // Anything else is a fault of ours, and whoever reports it needs the place.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function readArguments<O extends Options>(
  command: Command<O>,
  args: readonly string[],
): { values: Values<O> | undefined; positionals: readonly string[] } {
  const parsed = parse(command, args);
  if (parsed.values["help"] === true) return { values: undefined, positionals: [] };
  const values = Object.fromEntries(
    Object.entries<Option>(command.options).map(([name, option]) => [
      name,
      parsed.values[name] ?? (option.type === "boolean" ? false : option.default),
    ]),
  );
  if (!hasEveryOption(command.options, values)) throw new Error("parseArgs returned a value of another type");
  return { values, positionals: parsed.positionals };
}

function parse<O extends Options>(
  command: Command<O>,
  args: readonly string[],
): { values: Readonly<Record<string, unknown>>; positionals: readonly string[] } {
  const options: ParseArgsOptionsConfig = { help: { type: "boolean", short: "h" } };
  for (const [name, { type }] of Object.entries<Option>(command.options)) options[name] = { type };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: command.positionals !== undefined });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node's own text goes on to explain how to escape a leading dash; the first sentence says what is wrong.
    const [sentence = error.message] = error.message.split(". ");
    throw new CommandError(`${sentence}. See: ${command.name} -- --help`);
  }
}

function hasEveryOption<O extends Options>(options: O, values: Record<string, unknown>): values is Values<O> {
  return Object.entries<Option>(options).every(([name, option]) => {
    const value = values[name];
    return option.type === "boolean"
      ? typeof value === "boolean"
      : typeof value === "string" || (value === undefined && option.default === undefined);
  });
}

function helpText<O extends Options>({ name, summary, options, positionals, examples }: Command<O>): string {
  const rows = [
    ...Object.entries<Option>(options).map(
      ([option, { type, description, ...rest }]) =>
        [
          type === "string" && "value" in rest ? `--${option} ${rest.value}` : `--${option}`,
          "default" in rest ? `${description} (default: ${rest.default})` : description,
        ] as const,
    ),
    ["-h, --help", "show this text"] as const,
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    summary,
    "",
    `Usage: ${name} -- [options]${positionals === undefined ? "" : ` ${positionals}`}`,
    "",
    "Options:",
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    "",
    examples.length > 1 ? "Examples:" : "Example:",
    ...examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}
