import { execFile } from "node:child_process";
import { expect, it } from "vitest";

// Beside the other test files, so that both cores have work: one after the other, these take 45 s.
it.concurrent.each(["prettier --check .", "eslint .", "tsc --noEmit"])(
  "%s finds nothing",
  { timeout: 150_000 },
  async (command) => {
    const [tool = "", ...args] = command.split(" ");
    const { failed, output } = await outcomeOf(tool, args);
    expect(failed, output).toBe(false);
  },
);

/** Runs a tool of this project, and gives all that it prints. */
function outcomeOf(tool: string, args: readonly string[]): Promise<{ failed: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile("npx", ["--no-install", tool, ...args], (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: stdout + stderr });
    });
  });
}
