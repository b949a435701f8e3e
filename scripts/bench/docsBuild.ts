import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { syntheticDocument } from "../../test/fixtures/syntheticContract.ts";
import { UserError } from "../contract/failures.ts";
import { readGeneration, type Generation } from "../contract/generation.ts";
import { writeBundles } from "./bundleFolder.ts";
import { measureCommands, medianCost, type Command, type Cost } from "./commandCost.ts";
import { freePort } from "./mockServers.ts";
import { redocly } from "./renderers.ts";
import { median, tableRow } from "./statistics.ts";

const projectRoot = resolve(import.meta.dirname, "../..");
const startScript = join(projectRoot, "scripts/start.ts");
const docsScript = join(projectRoot, "scripts/docs.ts");
const widths = [20, 12, 10, 22, 10];

/** Wall times, in milliseconds. */
interface BuildTimes {
  readonly own: number;
  readonly large: number;
}

/**
 * Compares `npm run docs` with `redocly build-docs`, which makes a page of one description, run for each generation. Each
 * run is a fresh process that finds no earlier output.
 */
export async function measureDocsBuild(
  generations: readonly Generation[],
  rounds: number,
  report: (line: string) => void,
): Promise<BuildTimes> {
  const count = generations.flatMap(({ operations }) => operations).length;
  report(`Building docs; medians of ${rounds} runs.`);
  report(tableRow(["operations", "ours, wall", "cpu", "build-docs, wall", "cpu"], widths));
  const own = await compareBuilds(String(count), generations, rounds, report);
  const large = readGeneration("large", syntheticDocument(1000));
  return { own, large: await compareBuilds("1,000", [large], rounds, report) };
}

async function compareBuilds(
  title: string,
  generations: readonly Generation[],
  rounds: number,
  report: (line: string) => void,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "bench-docs-build-"));
  try {
    await writeBundles(folder, generations);
    // In the folder's parent, Redocly finds no configuration, whose rules would be applied too.
    const others = generations.map(({ name }): Command => {
      const bundle = join(folder, "generated", name, "openapi.json");
      return {
        cwd: tmpdir(),
        args: [redocly, "build-docs", bundle, "--output", join(folder, "redoc", `${name}.html`)],
      };
    });
    const ours: Cost[] = [];
    const theirs: Cost[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const output of ["ours", "redoc"]) await rm(join(folder, output), { recursive: true, force: true });
      ours.push(await measureCommands([{ cwd: folder, args: [docsScript, "--out", "ours"] }]));
      theirs.push(await measureCommands(others));
    }
    const [our, their] = [medianCost(ours), medianCost(theirs)];
    const cells = [our.wall, our.cpu, their.wall, their.cpu].map((time) => `${(time / 1000).toFixed(2)} s`);
    report(tableRow([title, ...cells], widths));
    return our.wall;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** How long `npm start`, without npm's own time, takes until it listens: with docs that must be rendered first, and with docs that are there. */
export async function measureStart(rounds: number): Promise<{ readonly rendered: number; readonly ready: number }> {
  const folder = await mkdtemp(join(tmpdir(), "bench-start-"));
  const docs = join(folder, "docs");
  // The same for all: docs are rendered anew for another address.
  const port = await freePort();
  try {
    const rendered: number[] = [];
    const ready: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await rm(docs, { recursive: true, force: true });
      rendered.push(await startTime(docs, port));
      ready.push(await startTime(docs, port));
    }
    return { rendered: median(rendered), ready: median(ready) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function startTime(docs: string, port: number): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, [startScript, "--port", String(port), "--docs", docs], {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exit = once(child, "exit");
  try {
    let output = "";
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (output.includes("Listening on")) return performance.now() - begin;
    }
    throw new UserError("npm start ended before it listened: run it to see why");
  } finally {
    child.kill();
    await exit;
  }
}
