import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { watchFiles } from "../scripts/pipeline/watchFiles.ts";

test("a change between reading and watching a file isn't lost", async () => {
  const directory = await mkdtemp(join(tmpdir(), "watched-"));
  try {
    const file = join(directory, "file.yaml");
    const { promise, resolve } = Promise.withResolvers<ReadonlySet<string>>();
    using watcher = watchFiles(async (changed) => {
      resolve(changed);
      await promise;
    });
    const begin = Date.now();
    await writeFile(file, "changed");
    await watcher.follow([file, join(directory, "missing/file.yaml")], begin);
    expect(await promise).toEqual(new Set([file]));
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("a process ends on Ctrl-C even if it is loading a change, and then follows its files", async () => {
  const code = `
    import { watchFiles } from "./scripts/pipeline/watchFiles.ts";
    const watcher = watchFiles(() => Promise.resolve());
    watcher[Symbol.dispose]();
    await watcher.follow(["package.json"], Date.now());
  `;
  // Throws when the time is up.
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code], { timeout: 10_000 });
});
