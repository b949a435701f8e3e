import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

export interface Docs {
  /** Without a slash at its end. */
  readonly url: string;
  /** The folder that the docs were written to. */
  readonly folder: string;
}

/** Runs `npm start` on a free port, without state, with a docs folder of its own, and closes its stdout after the first line. */
export async function startDocs(): Promise<Docs & AsyncDisposable> {
  const folder = join(await mkdtemp(join(tmpdir(), "docs-")), "site");
  const child = spawn(process.execPath, ["scripts/start.ts", "--port", "0", "--docs", folder, "--stateless"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors = text(child.stderr);
  const exit = once(child, "exit").then(() => child.exitCode);
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), exit.then(() => [""])]);
  const url = /^Listening on (\S+)$/.exec(String(line))?.[1];
  if (url === undefined) throw new Error(`npm start did not say where it listens:\n${await errors}`);
  child.stdout.destroy();
  return {
    url,
    folder,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGINT");
      await exit;
      await rm(join(folder, ".."), { recursive: true, force: true });
    },
  };
}
