/* What calls change, and why there are none, in words. */
import type { Operation } from "../contract/generation.ts";
import { countOf } from "../contract/text.ts";
import { shorten } from "../exchange/secrets.ts";
import type { CredentialUse, LastingChange } from "./oneCall.ts";
import { nameInValues } from "./givenValues.ts";
import type { PlannedCall } from "./planCalls.ts";
import { printable } from "./printable.ts";
import { describeValue } from "./unlistedValues.ts";

/** Why operations are not called. */
export const untested = {
  notSelected: "it is not selected",
  changesNotAllowed: "it may change data: --allow-changes calls it",
  noCredentials: "there are no credentials for it",
  deletesNotAllowed: "it deletes what was there before: --allow-deletes calls it for what --values names",
  notReadable: "what it changes could not be read before, and so not be put back",
  notOurs: (operation: Operation, parameter: string | undefined) => {
    const place = `${nameInValues(operation)}: { ${parameter ?? "body"}: … }`;
    return parameter === undefined
      ? `its path does not say what it changes: it is only called with what --values has for it, as in ${place}`
      : `it changes what this run has not created: it is only called for what --values names for it, as in ${place}`;
  },
  onlyExamples: (names: readonly string[]) =>
    `only examples have its ${names.join(" and ")}, and nothing is changed by these: --values can name others`,
} as const;

/** Says before a run what a call changes; empty if it changes nothing. `isDeleted`: what it creates is deleted again. */
export function describePlannedChange({ operation, change, reading }: PlannedCall, isDeleted: boolean): string {
  if (change === undefined) return "";
  const { kind, isNamed, given } = change;
  const called = operation.name + describePath(given);
  if (kind === "creates")
    return `${isDeleted ? "creates, and deletes again" : "creates, and leaves behind"}: ${called}`;
  if (isNamed && reading !== undefined) return `${kind}, and puts back: ${called}`;
  return isNamed ? `${kind}, and cannot put back: ${called}` : `${kind} only what it has created: ${operation.name}`;
}

const outcomes = {
  created: "left behind",
  changed: "changed, and not put back",
  restored: "changed, and put back",
  deleted: "deleted",
} as const;

/** Says after a run what it has changed. */
export function describeLastingChange({ kind, operation, path, id, isCertain, differing }: LastingChange): string {
  const called = operation.name + describePath(path);
  const shown = id === undefined ? "something" : describeId("id", id);
  const what =
    kind === "created" ? `${shown}, which ${called} created` : `${id === undefined ? "" : `${shown}, by `}${called}`;
  const rest = differing === undefined ? "" : `: different in ${printable(shorten(differing, 200))}`;
  return `${isCertain ? "" : "perhaps "}${outcomes[kind]}: ${what}${rest}`;
}

/** Names credentials that were refused by their scheme. `variable`: where they come from, and `isGiven`, whether it has any. */
export function describeRefusedCredential(
  { generation, scheme, calls, refusals }: CredentialUse,
  variable: string,
  isGiven: boolean,
): string {
  const source = isGiven ? `from ${variable}` : `the contract's example; ${variable} can have another`;
  const answered = `401 or 403 for ${refusals} of ${countOf(calls, "call")} with it`;
  return `${scheme} of ${generation} (${source}): ${answered}; no call that requires it succeeded`;
}

/** Identifiers in parentheses; empty if there are none. */
function describePath(path: ReadonlyMap<string, unknown>): string {
  const ids = Array.from(path, ([name, value]) => `${name} ${describeId(name, value)}`);
  return ids.length === 0 ? "" : ` (${ids.join(", ")})`;
}

/** An identifier, without what may be a secret, and without characters that steer a terminal. */
export function describeId(name: string, value: unknown): string {
  return printable(shorten(describeValue({ value, path: `/${name}` })));
}
