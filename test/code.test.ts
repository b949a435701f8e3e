import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readFolder } from "../scripts/command/files.ts";

it.concurrent.each(["oxfmt --check .", "oxlint"])("%s finds nothing", { timeout: 300_000 }, async (command) => {
  const [tool = "", ...args] = command.split(" ");
  const { failed, output } = await outcomeOf(tool, args);
  expect(failed, output).toBe(false);
});

// A folder under scripts/ is in the npm package as a whole, or not at all.
it.concurrent.each(["client", "contract", "mock"])(
  "scripts/%s, which is shipped, imports no script that is not",
  async (name) => {
    const files = (await readFolder(`scripts/${name}`)).filter(({ path }) => path.endsWith(".ts"));
    expect(files.length).toBeGreaterThan(3);
    const shipped = /^scripts\/(?:client|contract|mock)\//;
    const imported = files.flatMap(({ path, content }) =>
      [...content.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)].map(([, target = ""]) =>
        join("scripts", name, path, "..", target),
      ),
    );
    expect(imported.filter((path) => !shipped.test(path))).toEqual([]);
  },
);

it.concurrent("every module under scripts/ has a name of its own", async () => {
  const names = (await readFolder("scripts")).map(({ path }) => path.split("/").at(-1) ?? "");
  const modules = names.filter((name) => name.endsWith(".ts") && name !== "index.ts");
  expect(modules.filter((name, index) => modules.indexOf(name) !== index)).toEqual([]);
});

/** Runs a tool of this project, and gives all that it prints. */
function outcomeOf(tool: string, args: readonly string[]): Promise<{ failed: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile("npx", ["--no-install", tool, ...args], (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: stdout + stderr });
    });
  });
}
