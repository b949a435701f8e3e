import { serverUrl, type Generation, type Operation } from "../contract/generation.ts";
import type { Change } from "../diff/changes.ts";
import { indent } from "../samples/javaScriptText.ts";
import { samplesOf } from "../samples/samples.ts";

/** The most calls that are shown for a change. */
const shownCalls = 3;

/** Shows what a breaking change does to programs: calls of its operations as they were written before, and as now. */
export function describeCalls(change: Change, base: readonly Generation[], next: readonly Generation[]): string {
  const calls = change.operations.slice(0, shownCalls).map((name) => {
    const [before, after] = [base, next].map((generations) => callOf(name, change.generation, generations));
    if (before === after) return `${name}\n${indent(before ?? "")}\n  (the types of its request or response differ)`;
    return [
      `${name}, before:`,
      indent(before ?? "There was no such operation."),
      "now:",
      indent(after ?? "It is gone."),
    ].join("\n");
  });
  const more = change.operations.length - calls.length;
  return [...calls, ...(more > 0 ? [`and ${more} more operations`] : [])].join("\n");
}

function callOf(name: string, generation: string, generations: readonly Generation[]): string | undefined {
  const operations = generations.find((one) => one.name === generation)?.operations ?? [];
  const operation = operations.find((one: Operation) => one.name === name);
  if (operation === undefined) return undefined;
  const [sample] = samplesOf(operation, { module: generation, server: serverUrl(operation) });
  return sample?.source;
}
