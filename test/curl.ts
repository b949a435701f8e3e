import { execFile } from "node:child_process";
import { delimiter, resolve } from "node:path";

/** What a command printed, and its exit code. */
export interface Outcome {
  readonly code: number | string;
  readonly output: string;
}

/** Runs a command with curl in it, and more options at its end, in a shell. A machine without curl gets a stand-in. */
export function runCurl(command: string, options: string, cwd = process.cwd()): Promise<Outcome> {
  const path = [process.env["PATH"], resolve("test/fixtures/bin")].join(delimiter);
  return new Promise((settle) => {
    execFile(
      "sh",
      ["-c", `${command} ${options}`],
      { env: { ...process.env, PATH: path }, cwd },
      (error, stdout, stderr) => {
        settle({ code: error?.code ?? 0, output: stdout + stderr });
      },
    );
  });
}
