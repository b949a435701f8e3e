/**
 * `npm run mutate`: changes one fact of a bundle at a time, and runs the contract tests, with the expectations of the
 * unchanged bundle, against a mock and a verification of the changed one. Tests that notice nothing are too weak.
 */
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { runCommand } from "../../scripts/command/commandLine.ts";
import { createHunt } from "./hunt.ts";
import { mutantsOf, reasonOf, type Mutant } from "./mutants.ts";

const sampleSize = 200;
/** Of the mutants, so many must be caught. */
const leastCaught = 0.95;

const generations = await readBuiltGenerations();
const all = generations.flatMap(mutantsOf);

if (isMainThread) {
  await runCommand({
    name: "npm run mutate",
    summary: "Changes one fact of a bundle at a time, and counts the changes that the contract tests notice.",
    options: {
      all: { type: "boolean", description: "every change, not only a sample of 200" },
      seed: { type: "string", value: "SEED", default: "1", description: "a number that chooses the sample" },
    },
    examples: ["npm run mutate -- --seed 2"],
    run: ({ all: isAll = false, seed }) => countCaught(isAll, Number(seed)),
  });
} else await hunt(workerData);

async function countCaught(isAll: boolean, seed: number): Promise<void> {
  const everyOne = all.map((_, index) => index);
  const chosen = isAll ? everyOne : shuffle(everyOne, seed).slice(0, sampleSize);
  const survivors: Mutant[] = [];
  let done = 0;
  const share = Math.max(1, availableParallelism());
  process.stdout.write(`${chosen.length} of ${all.length} mutants, in ${share} threads\n`);
  const workers = Array.from({ length: share }, (_, first) => {
    const worker = new Worker(import.meta.filename, { workerData: chosen.filter((_one, at) => at % share === first) });
    worker.on("message", ({ index, caught }: { readonly index: number; readonly caught: boolean }) => {
      done += 1;
      const mutant = all[index];
      if (!caught && mutant !== undefined) survivors.push(mutant);
      if (process.stderr.isTTY || done % 50 === 0) {
        process.stderr.write(
          `${done} of ${chosen.length}, ${survivors.length} survived${process.stderr.isTTY ? "\r" : "\n"}`,
        );
      }
    });
    return worker;
  });
  process.once("SIGINT", () => {
    for (const worker of workers) void worker.terminate();
  });
  await Promise.all(
    workers.map((worker) => new Promise((resolve, reject) => worker.on("exit", resolve).on("error", reject))),
  );
  const reasons = survivors.map(reasonOf);
  for (const [index, { generation, pointer, kind, change }] of survivors.entries()) {
    const reason = reasons[index] ?? "the tests are too weak";
    process.stdout.write(`survived: ${kind}, ${change}, at ${generation}#${pointer}: ${reason}\n`);
  }
  const caught = done - survivors.length;
  const counted = caught + reasons.filter((reason) => reason === undefined).length;
  const portion = counted === 0 ? 0 : caught / counted;
  const end = done < chosen.length ? ", stopped early" : "";
  process.stdout.write(`caught ${caught} of ${counted} that can be noticed (${(portion * 100).toFixed(1)} %)${end}\n`);
  process.exitCode = portion >= leastCaught && done === chosen.length ? 0 : 1;
}

async function hunt(indexes: unknown): Promise<void> {
  const made = generations.map(async (generation) => [generation.name, await createHunt(generation)] as const);
  const hunts = new Map(await Promise.all(made));
  for (const index of Array.isArray(indexes) ? indexes.map(Number) : []) {
    const mutant = all[index];
    const by = mutant && (await hunts.get(mutant.generation)?.(mutant));
    parentPort?.postMessage({ index, caught: by !== undefined });
  }
}

/** In an order that the seed alone decides: a linear congruential generator (Numerical Recipes) chooses each place. */
function shuffle(items: readonly number[], seed: number): readonly number[] {
  const shuffled = [...items];
  let state = seed >>> 0;
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const place = Math.floor((state / 2 ** 32) * (last + 1));
    [shuffled[last], shuffled[place]] = [shuffled[place] ?? 0, shuffled[last] ?? 0];
  }
  return shuffled;
}
