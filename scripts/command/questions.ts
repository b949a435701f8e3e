import { createInterface } from "node:readline";
import { messageOf, UserError } from "../contract/failures.ts";
import { printProgress } from "./commandLine.ts";

/** Parses an answer. Throws {@link UserError} if it's invalid. */
type Reader<Value> = (answer: string) => Value;

/**
 * Opens the terminal to ask for missing options. Without a terminal, all options are required. Ctrl-C and
 * Ctrl-D throw a {@link UserError}.
 */
export function openQuestions() {
  const { stdin: input, stderr: output } = process;
  const terminal = input.isTTY ? createInterface({ input, output }) : undefined;
  terminal?.once("SIGINT", () => {
    terminal.close();
  });
  let isOpen = true;
  terminal?.once("close", () => (isOpen = false));
  // Unlike `question`, it keeps lines that arrive before their question.
  const lines = terminal?.[Symbol.asyncIterator]();

  const question = async (text: string, option: string): Promise<string> => {
    if (terminal === undefined) throw new UserError(`--${option} is missing, and there is no terminal to ask on`);
    terminal.setPrompt(`${text} `);
    if (isOpen) terminal.prompt();
    const line = await lines?.next();
    if (line?.done !== false) throw new UserError("stopped: nothing was changed");
    return line.value.trim();
  };
  return {
    /**
     * Returns the value of an option, or of the first valid answer. After an invalid answer, it prints the
     * reason and asks again.
     */
    ask: async <Value>(
      option: string,
      text: string,
      given: string | undefined,
      read: Reader<Value>,
    ): Promise<Value> => {
      if (given !== undefined) return read(given);
      for (;;) {
        const answer = await question(text, option);
        try {
          if (answer !== "") return read(answer);
        } catch (error) {
          if (!(error instanceof UserError)) throw error;
          printProgress(messageOf(error));
        }
      }
    },
    [Symbol.dispose]: () => {
      terminal?.close();
      // Pending input would keep the process running.
      if (terminal !== undefined) input.destroy();
    },
  };
}
