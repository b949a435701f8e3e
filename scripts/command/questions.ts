import { createInterface } from "node:readline";
import { messageOf, UserError } from "../contract/failures.ts";
import { printProgress } from "./commandLine.ts";

/** Reads what an answer means. Throws {@link UserError} if it can't be used. */
type Reader<Value> = (answer: string) => Value;

/**
 * Opens the terminal to ask for what no option gives; without a terminal, the options have to give everything. Ctrl-C and
 * Ctrl-D end it with a {@link UserError}.
 */
export function openQuestions() {
  const { stdin: input, stderr: output } = process;
  const terminal = input.isTTY ? createInterface({ input, output }) : undefined;
  terminal?.once("SIGINT", () => {
    terminal.close();
  });
  let isOpen = true;
  terminal?.once("close", () => (isOpen = false));
  // Unlike `question`, it keeps lines that come before their question.
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
    /** The value of an option, or of the first answer that can be used: for any other, it says why and asks again. */
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
      // Whatever is still read from it would keep the process running.
      if (terminal !== undefined) input.destroy();
    },
  };
}
