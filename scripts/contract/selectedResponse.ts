import { responseOf } from "../spec/openapi.ts";
import { firstStatus } from "../spec/statusKeys.ts";
import { successResponses, type Operation } from "./generation.ts";
import { compareText } from "../values/text.ts";

/**
 * The response to a valid request. It is the one declared for `code`. Without a code, it is the lowest 2XX, or else
 * `default`, or else the first response, as in Prism (5.16). `name` is its name in the contract, such as `default`.
 */
export function selectResponse(operation: Operation, code: string | undefined) {
  const { responses } = operation;
  const [lowest] = successResponses(operation).toSorted((a, b) => compareText(a.status, b.status));
  // After a 1XX, there's another response.
  const first = responses.find(({ status }) => !status.startsWith("1"));
  const chosen = code === undefined ? (lowest ?? first) : responseOf(responses, Number(code));
  if (chosen === undefined) return undefined;
  const { status: name, headers, content } = chosen;
  return { name, status: code ?? firstStatus(name), headers, content };
}
