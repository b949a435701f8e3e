import type { Operation } from "../contract/generation.ts";
import type { SkipReason } from "../exchange/observation.ts";
import { nameInValues } from "./givenValues.ts";

/** An example of values, as it continues a reason. */
export function asIn(example: string): string {
  return `, as in ${example}`;
}

/** A reason with its example. */
export function reasonText({ text, example }: SkipReason): string {
  return example === undefined ? text : text + asIn(example);
}

/** The reasons for skipping operations. */
export const untested = {
  notSelected: { code: "not-selected", text: "it isn't selected" },
  changesNotAllowed: { code: "changes-not-allowed", text: "may change data, which needs --allow-changes" },
  noCredentials: { code: "no-credentials", text: "there are no credentials for it" },
  lastingNotAllowed: {
    code: "lasting-changes-not-allowed",
    text: "it would change what --values names, for good, which needs --allow-lasting-changes",
  },
  deletesNotAllowed: {
    code: "deletes-not-allowed",
    text: "it would delete what --values names, which needs --allow-deletes",
  },
  notFollowed: { code: "not-followed", text: "no call succeeded after which the run sends wrong requests" },
  notOurs: (operation: Operation, parameter: string | undefined, isDelete: boolean): SkipReason => {
    const option = isDelete ? "--allow-deletes" : "--allow-lasting-changes";
    const text =
      parameter === undefined
        ? `its path doesn't identify what it changes. To call it, use ${option}, and add values to the file of --values`
        : `it changes resources that this run hasn't created. To call it, use ${option}, and name them in the file of --values`;
    return { code: "not-ours", text, example: `${nameInValues(operation)}: { ${parameter ?? "body"}: … }` };
  },
  otherSecret: (variable: string, name: string): SkipReason => ({
    code: "other-secret",
    text: `${variable} must be the secret of the resource that ${name} identifies. Name that resource with --values`,
  }),
  onlyExamples: (names: readonly string[]): SkipReason => ({
    code: "only-examples",
    text: `only examples have its ${names.join(" and ")}, and this command doesn't change resources that examples name. Name others with --values`,
  }),
  unwritable: (name: string): SkipReason => ({
    code: "unwritable",
    text: `its ${name} is required, and is only shown: nothing here writes values in its form`,
  }),
  ended: (text: string): SkipReason => ({ code: "ended", text }),
} as const;
