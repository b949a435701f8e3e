import { responseOf } from "../spec/openapi.ts";
import { firstStatus, isDefaultStatus, isFailureStatus } from "../spec/statusKeys.ts";
import { successResponses, type Operation } from "./generation.ts";
import { compareText } from "./text.ts";

/**
 * The response to a valid request. It is the one declared for `code`. Without a code, it is the lowest 2XX,
 * or else another response that isn't a failure, or else `default`. If an operation declares only failures,
 * its success is a 200 without content.
 */
export function selectResponse(operation: Operation, code: string | undefined) {
  const { responses } = operation;
  const declared = responses.filter(({ status }) => !isDefaultStatus(status));
  const successes = successResponses(operation).toSorted((a, b) => compareText(a.status, b.status));
  const others = declared.filter(({ status }) => !isFailureStatus(status));
  const otherwise = responses.find((response) => !declared.includes(response));
  const empty = declared.length > 0 ? { status: "200", headers: [], content: [] } : undefined;
  const chosen =
    code === undefined ? ([...successes, ...others][0] ?? otherwise ?? empty) : responseOf(responses, Number(code));
  if (chosen === undefined) return undefined;
  const { headers, content } = chosen;
  return { status: code ?? firstStatus(chosen.status), headers, content };
}
