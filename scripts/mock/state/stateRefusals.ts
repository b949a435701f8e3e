import type { Operation } from "../../contract/generation.ts";
import { refusalOf, wholeBody, type Refusal } from "../../exchange/refusal.ts";
import { shorten } from "../../exchange/secrets.ts";
import type { ReceivedRequest } from "../mockTypes.ts";
import type { Budget } from "./budget.ts";

/** Why something is not there: a request deleted it, or nothing that was seeded or created is it. */
export type Missing = "deleted" | "unknown";

/** Refuses a request whose path leads to nothing. `name`: the path parameter that identifies what is missing. */
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
  const received = name === undefined ? {} : { name, received: JSON.stringify(shorten(path[name] ?? "")) };
  return refusalOf(404, { in: "path", message, ...received });
}

/** Refuses a request that would write more than the budget allows, or add more rules; nothing has changed. */
export function refuseMore({ limit }: Budget): Refusal {
  const message =
    `The mock keeps at most ${limit / 2 ** 20} MiB of resources and rules, in all sessions together, and this would be ` +
    "more. Nothing has changed. DELETE /-/mock/overrides and DELETE /-/mock/faults remove a session's rules, POST " +
    "/-/mock/reset all that it has, and DELETE /-/mock/sessions what all sessions have; or start the mock with a larger " +
    "--state-limit (in code: stateLimit).";
  return refusalOf(507, { ...wholeBody, message });
}
