import { styleText } from "node:util";
import type { Generation } from "../contract/generation.ts";
import type { MockServer } from "../mock/http/server.ts";
import { printLine } from "./commandLine.ts";
import { countOperations } from "./mockCommand.ts";

interface Reloaded {
  readonly generations: readonly Generation[];
  /** Time at which reading them began, in milliseconds since the epoch. */
  readonly since: number;
}

/** Has a mock serve what has been saved, and says so. */
export function reload({ replace }: Pick<MockServer, "replace">, { generations, since }: Reloaded): void {
  for (const dropped of replace(generations)) printProblem(`Dropped from the state: ${dropped}`);
  printLine(`Reloaded in ${Date.now() - since} ms: ${generations.map(countOperations).join(", ")}`);
}

/** Prints what lint finds, if anything: it holds nothing up. */
export async function printWarnings({ lint }: { readonly lint: () => Promise<string> }): Promise<void> {
  const text = await lint();
  if (text !== "") print("yellow", text);
}

export function printProblem(text: string): void {
  print("red", text);
}

function print(color: "red" | "yellow", text: string): void {
  process.stderr.write(`${styleText(color, text, { stream: process.stderr })}\n`);
}
