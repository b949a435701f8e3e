import type { Operation } from "../../contract/generation.ts";
import { refusalOf, wholeBody, type Refusal } from "../../exchange/refusal.ts";
import { maskAndCut } from "../../exchange/secrets.ts";
import type { ReceivedRequest } from "../mockTypes.ts";
import type { Budget } from "./budget.ts";

/** Why a resource is missing: a request deleted it, or it was neither seeded nor created. */
export type Missing = "deleted" | "unknown";

/** Refuses a request whose path leads to a missing resource. `name` is the path parameter that identifies it. */
export function refuseMissing(
  { responses }: Operation,
  path: ReceivedRequest["path"],
  name: string | undefined,
  why: Missing,
): Refusal {
  const isDescribed = responses.some(({ status }) => ["404", "4XX"].includes(status.toUpperCase()));
  const resource = `resource${name === undefined ? "" : ` that the path parameter ${name} identifies`}`;
  const message =
    (why === "deleted"
      ? `An earlier request deleted the ${resource}.`
      : `The ${resource} was neither seeded nor created.`) +
    (isDescribed ? "" : " The status 404 is the mock's choice: the contract does not specify failures.");
  const received = name === undefined ? {} : { name, received: JSON.stringify(maskAndCut(path[name] ?? "")) };
  return refusalOf(404, { code: "resource", in: "path", message, ...received });
}

/** Refuses a request that would exceed the budget. Nothing has changed. */
export function refuseMore({ limit }: Budget): Refusal {
  const message =
    `This request would exceed the mock's limit of ${limit / 2 ** 20} MiB for the resources and rules of all sessions. ` +
    "Nothing has changed. DELETE /-/mock/overrides and DELETE /-/mock/faults remove a session's rules, POST " +
    "/-/mock/reset resets a session, and DELETE /-/mock/sessions resets all of them. You can also start the mock with a larger " +
    "--state-limit (in code: stateLimit).";
  return refusalOf(507, { code: "size", ...wholeBody, message });
}
