import type { Operation } from "../contract/generation.ts";
import { nameInValues } from "./givenValues.ts";

/** Comes before an example of values in a reason. */
export const asIn = ", as in ";

/** The reasons for skipping operations. */
export const untested = {
  notSelected: "it isn't selected",
  changesNotAllowed: "may change data, which needs --allow-changes",
  noCredentials: "there are no credentials for it",
  deletesNotAllowed: "it deletes existing resources. To call it, use --allow-deletes, and name them with --values",
  notFollowed: "no call succeeded after which the run sends wrong requests",
  notReadable: "the GET response before the change can't be written back, so the resource couldn't be restored",
  notOurs: (operation: Operation, parameter: string | undefined) => {
    const place = `${nameInValues(operation)}: { ${parameter ?? "body"}: … }`;
    return parameter === undefined
      ? `its path doesn't identify what it changes. To call it, add values to the file of --values${asIn}${place}`
      : `it changes resources that this run hasn't created. To call it, name them in the file of --values${asIn}${place}`;
  },
  onlyExamples: (names: readonly string[]) =>
    `only examples have its ${names.join(" and ")}, and this command doesn't change resources that examples name. Name others with --values`,
} as const;
