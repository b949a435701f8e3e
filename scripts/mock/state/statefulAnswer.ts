import type { Operation } from "../../contract/generation.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import { applyEffect, type ResourceRequest } from "./resourceEffects.ts";
import { refusalOf, shorten, wholeBody, type Answer, type Refusal } from "../problemDetails.ts";
import type { ServedContract } from "../servedContract.ts";
import type { Session } from "./sessions.ts";
import type { Budget } from "./world.ts";

/** Where requests write, and how much they may. */
export interface Store {
  readonly session: Session;
  readonly budget: Budget;
}

/** An example is parsed once for all the answers that are made of it. */
const parsed = new WeakMap<Answer, unknown>();

/**
 * Lets a valid request take effect, and puts what it finds into the answer that it would get without any state. Returns
 * `"deleted"` where the contract itself describes that failure.
 */
export function answerFromState(
  { session, budget }: Store,
  contract: ServedContract,
  operation: Operation,
  request: ResourceRequest,
  answer: Answer,
): Answer | Refusal | "deleted" {
  const resource = contract.resources().get(operation);
  const { status, headers, body: text } = answer;
  if (resource === undefined || status >= 300) return answer;
  const isShown = text !== undefined && isJson(headers["content-type"] ?? "");
  if (isShown && !parsed.has(answer)) parsed.set(answer, JSON.parse(text));
  const example = parsed.get(answer);
  const task = { operation, resource, request, example };
  const outcome = applyEffect(session.world, budget, task);
  if ("isFull" in outcome) return full(budget);
  if ("deleted" in outcome) {
    const parameter = outcome.deleted?.parameter;
    return operation.responses.some(({ status: declared }) => /^4(?:04|XX)$/.test(declared))
      ? "deleted"
      : gone(parameter, request.path);
  }
  const { value, dropped } = outcome;
  if (!isShown) {
    const note = "the response is not JSON, so it has the example's values, whatever was written";
    return text === undefined || resource.view === undefined ? answer : { ...answer, note };
  }
  const names = new Intl.ListFormat("en").format(dropped);
  const note = `the response has the example's value of ${names}: what was written is not valid there`;
  const content = value === example ? text : JSON.stringify(value);
  return { ...answer, body: content, ...(dropped.length > 0 && { note }) };
}

function gone(name: string | undefined, path: ResourceRequest["path"]): Refusal {
  const message =
    `An earlier request deleted the resource${name === undefined ? "" : ` that the path parameter ${name} identifies`}. ` +
    "The status 404 is the mock's choice: the contract does not specify failures.";
  const received = name === undefined ? {} : { name, received: JSON.stringify(shorten(path[name] ?? "")) };
  return refusalOf(404, { in: "path", message, ...received });
}

function full({ limit }: Budget): Refusal {
  const message =
    `The mock keeps at most ${limit / 2 ** 20} MiB of what requests write, and this is more. Nothing was lost: reset ` +
    "it with POST /-/mock/reset, or start it with a larger --state-limit (in code: stateLimit).";
  return refusalOf(507, { ...wholeBody, message });
}
