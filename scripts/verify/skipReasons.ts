import type { Operation } from "../contract/generation.ts";
import { nameInValues } from "./givenValues.ts";

/** Comes before an example of values in a reason. */
export const asIn = ", as in ";

/** The reasons for skipping operations. */
export const untested = {
  notSelected: "it isn't selected",
  changesNotAllowed: "may change data, which needs --allow-changes",
  noCredentials: "there are no credentials for it",
  lastingNotAllowed: "it would change what --values names, for good, which needs --allow-lasting-changes",
  deletesNotAllowed: "it would delete what --values names, which needs --allow-deletes",
  notFollowed: "no call succeeded after which the run sends wrong requests",
  notOurs: (operation: Operation, parameter: string | undefined, isDelete: boolean) => {
    const place = `${nameInValues(operation)}: { ${parameter ?? "body"}: … }`;
    const option = isDelete ? "--allow-deletes" : "--allow-lasting-changes";
    return parameter === undefined
      ? `its path doesn't identify what it changes. To call it, use ${option}, and add values to the file of --values${asIn}${place}`
      : `it changes resources that this run hasn't created. To call it, use ${option}, and name them in the file of --values${asIn}${place}`;
  },
  otherSecret: (variable: string, name: string) =>
    `${variable} must be the secret of the resource that ${name} identifies. Name that resource with --values`,
  onlyExamples: (names: readonly string[]) =>
    `only examples have its ${names.join(" and ")}, and this command doesn't change resources that examples name. Name others with --values`,
} as const;
