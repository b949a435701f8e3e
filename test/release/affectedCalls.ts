import { serverUrl, type Generation } from "../../scripts/contract/generation.ts";
import type { Change } from "../../scripts/diff/changes.ts";
import { indent } from "../../scripts/samples/javaScriptText.ts";
import { samplesOf } from "../../scripts/samples/samples.ts";

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
  const operation = generations.find((one) => one.name === generation)?.operations.find((one) => one.name === name);
  return operation && samplesOf(operation, { module: generation, server: serverUrl(operation) })[0]?.source;
}
