import { parse } from "jsonc-parser";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

it("tests that an old Node.js runs end with one line", async () => {
  const pretend = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '22.23.3' })";
  const vitest = spawn(process.execPath, ["--import", pretend, "node_modules/vitest/vitest.mjs", "run"]);
  const [stdout, stderr] = await Promise.all([text(vitest.stdout), text(vitest.stderr), once(vitest, "exit")]);
  expect({ stdout, code: vitest.exitCode }).toEqual({ stdout: "", code: 1 });
  expect(stderr).toMatch(/^error: this needs Node\.js [\d.]+ or newer, but runs on 22\.23\.3: .*\n$/);
});

it("debugging starts programs that exist, with the Node.js that npm installed", async () => {
  const launch: unknown = parse(await readFile(".vscode/launch.json", "utf8"));
  const folder = "${workspaceFolder}/";
  const paths = [...JSON.stringify(launch).matchAll(/"(runtimeExecutable|program)":"([^"]+)"/g)].map(
    ([, , path = ""]) => path,
  );
  expect(paths).toContain(`${folder}node_modules/.bin/node`);
  expect(paths.filter((path) => !path.startsWith(folder) || !existsSync(path.slice(folder.length)))).toEqual([]);
});
