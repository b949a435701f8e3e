import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "../fixtures/program.ts";

export interface Docs {
  /** Without a slash at its end. */
  readonly url: string;
  /** The folder that the docs were written to. */
  readonly folder: string;
}

/** Runs `npm start` on a free port, without state, with a docs folder of its own, and closes its stdout after the first line. */
export async function startDocs(): Promise<Docs & AsyncDisposable> {
  const folder = join(await mkdtemp(join(tmpdir(), "docs-")), "site");
  const program = startProgram(["scripts/start.ts", "--port", "0", "--docs", folder, "--stateless"]);
  const url = await program.until(/^Listening on (\S+)\n/m);
  program.child.stdout?.destroy();
  return {
    url,
    folder,
    [Symbol.asyncDispose]: async () => {
      await program.stop();
      await rm(join(folder, ".."), { recursive: true, force: true });
    },
  };
}
