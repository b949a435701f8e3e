/* Sentences about the changes of calls, and about skipped calls. */
import type { Operation } from "../contract/generation.ts";
import { countOf } from "../contract/text.ts";
import { shorten } from "../exchange/secrets.ts";
import type { CredentialUse, LastingChange } from "./oneCall.ts";
import { nameInValues } from "./givenValues.ts";
import type { PlannedCall } from "./planCalls.ts";
import { printable } from "./printable.ts";
import { describeValue } from "./unlistedValues.ts";

/** Comes before an example of values in a reason. */
export const asIn = ", as in ";

/** The reasons for skipping operations. */
export const untested = {
  notSelected: "it isn't selected",
  changesNotAllowed: "may change data, which needs --allow-changes",
  noCredentials: "there are no credentials for it",
  deletesNotAllowed: "it deletes existing resources. To call it, use --allow-deletes, and name them with --values",
  notFollowed: "no call succeeded after which the run sends wrong requests",
  notReadable: "the resource couldn't be read before the change, so it couldn't be restored",
  notOurs: (operation: Operation, parameter: string | undefined) => {
    const place = `${nameInValues(operation)}: { ${parameter ?? "body"}: … }`;
    return parameter === undefined
      ? `its path doesn't identify what it changes. To call it, add values to the file of --values${asIn}${place}`
      : `it changes resources that this run hasn't created. To call it, name them in the file of --values${asIn}${place}`;
  },
  onlyExamples: (names: readonly string[]) =>
    `only examples have its ${names.join(" and ")}, and this command doesn't change resources that examples name. Name others with --values`,
} as const;

/** Describes the planned change of a call. Empty for a read. `isDeleted`: the created resource will be deleted. */
export function describePlannedChange({ operation, change, reading }: PlannedCall, isDeleted: boolean): string {
  if (change === undefined) return "";
  const { kind, isNamed, given } = change;
  const called = operation.name + describePath(given);
  if (kind === "creates") return `${isDeleted ? "creates and deletes" : "creates and doesn't delete"}: ${called}`;
  if (isNamed && reading !== undefined) return `${kind} and restores: ${called}`;
  return isNamed ? `${kind} and can't restore: ${called}` : `${kind} only what the run created: ${operation.name}`;
}

const outcomes = {
  created: "left behind",
  changed: "changed and not restored",
  restored: "changed and restored",
  deleted: "deleted",
} as const;

/** Describes a change after the run. */
export function describeLastingChange({ kind, operation, path, id, isCertain, differing }: LastingChange): string {
  const called = operation.name + describePath(path);
  const shown = id === undefined ? "something" : describeId("id", id);
  const what =
    kind === "created" ? `${shown}, which ${called} created` : `${id === undefined ? "" : `${shown}, by `}${called}`;
  const rest = differing === undefined ? "" : `. Different: ${printable(shorten(differing, 200))}`;
  return `${isCertain ? "" : "perhaps "}${outcomes[kind]}: ${what}${rest}`;
}

/** Describes refused credentials. `variable`: the environment variable. `isGiven`: true if it is set. */
export function describeRefusedCredential(
  { generation, scheme, calls, refusals }: CredentialUse,
  variable: string,
  isGiven: boolean,
): string {
  const source = isGiven ? `from ${variable}` : `the contract's example; set another with ${variable}`;
  const answered = `401 or 403 for ${refusals} of ${countOf(calls, "call")} with it`;
  return `${scheme} of ${generation} (${source}): ${answered}. No call that requires it succeeded`;
}

/** Identifiers in parentheses. Empty if there are none. */
function describePath(path: ReadonlyMap<string, unknown>): string {
  const ids = Array.from(path, ([name, value]) => `${name} ${describeId(name, value)}`);
  return ids.length === 0 ? "" : ` (${ids.join(", ")})`;
}

/** An identifier, without what may be a secret, and without characters that steer a terminal. */
export function describeId(name: string, value: unknown): string {
  return printable(shorten(describeValue({ value, path: `/${name}` })));
}
