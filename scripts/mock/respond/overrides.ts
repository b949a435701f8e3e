import { messageOf } from "../../contract/failures.ts";
import { isObject, membersOf, valueAt } from "../../spec/json.ts";
import type { SchemaObject } from "../../spec/openapi.ts";
import type { OverrideResponse, OverrideRule, ReceivedRequest } from "../mockTypes.ts";
import type { DescribedResponse } from "../response/describedResponse.ts";
import { isRefusal, type Refusal } from "../../exchange/refusal.ts";
import { matcherViolations, readMatcher } from "./matchers.ts";
import {
  checkOverrideResponse,
  makeOverrideResponse,
  withLowerCaseNames,
  type OverridableRequest,
} from "./overrideResponse.ts";
import { createRuleReader, type RuleList } from "./rules.ts";

const members: SchemaObject = { type: "object" };
const when = { path: members, query: members, headers: members, body: {} };

export const overrideRules = createRuleReader<OverrideRule>(
  { when: { type: "object", properties: when, additionalProperties: false }, respond: {} },
  ["operation", "respond"],
  ({ operation: id, generation, when: condition, respond }, pointer, contract) => {
    const unmatched = matcherViolations(condition, `${pointer}/when`);
    if (unmatched.length > 0 || typeof respond === "function") return unmatched;
    const checks = contract.generations
      .filter(({ name }) => name === (generation ?? name))
      .flatMap(({ operations }) => operations.filter(({ operationId }) => operationId === id))
      .map((one) => checkOverrideResponse(respond, `${pointer}/respond`, one, contract.prepare(one).responses));
    return checks.find(({ length }) => length > 0) ?? [];
  },
);

/** Makes the response of the first matching override, or `undefined` if none matches. */
export async function applyOverride(
  { list, count }: RuleList<OverrideRule>,
  request: OverridableRequest,
): Promise<DescribedResponse | Refusal | undefined> {
  const { received, operation, responses } = request;
  for (const [index, rule] of list().entries()) {
    if (!isMatch(rule, received)) continue;
    const { respond } = rule;
    const isFunction = typeof respond === "function";
    const fail = (why: string): Refusal => ({ status: 500, detail: `Override /${index} ${why}` });
    let chosen: OverrideResponse | undefined;
    try {
      chosen = isFunction ? await respond(received) : respond;
    } catch (error) {
      return fail(`threw an error: ${messageOf(error)}`);
    }
    if (chosen === undefined || !list().includes(rule)) continue;
    count(rule);
    const [wrong] = isFunction ? checkOverrideResponse(chosen, "/respond", operation, responses) : [];
    if (wrong !== undefined) return fail(`returned a wrong response. ${wrong.message}`);
    const response = await makeOverrideResponse(chosen, request);
    if (typeof response === "string") return fail(response);
    if (isRefusal(response)) return response;
    const notes = [response.note, `override /${index} for ${rule.operation} applies`];
    return { ...response, note: notes.filter((note) => note !== undefined).join("; ") };
  }
  return undefined;
}

function isMatch({ operation, generation, when = {} }: OverrideRule, request: ReceivedRequest): boolean {
  if (operation !== request.operation) return false;
  if (generation !== undefined && generation !== request.generation) return false;
  if (!hasTexts(request.path, when.path) || !hasTexts(request.query, when.query)) return false;
  if (!hasTexts(request.headers, withLowerCaseNames(when.headers ?? {}))) return false;
  return when.body === undefined || hasMembers(request.body, when.body);
}

function hasTexts(sent: ReceivedRequest["query"], named: unknown): boolean {
  return membersOf(named).every(([name, value]) => {
    const texts = Object.hasOwn(sent, name) ? [sent[name]].flat() : [];
    const matcher = readMatcher(value);
    if (typeof matcher === "function") return texts.length === 0 ? matcher(undefined) : texts.some(matcher);
    return [value].flat().every((one) => texts.includes(String(one)));
  });
}

/** Returns whether a value equals another one. Members of objects that only the first value has are ignored. */
function hasMembers(value: unknown, named: unknown): boolean {
  const matcher = readMatcher(named);
  if (typeof matcher === "function") return matcher(value);
  if (Array.isArray(named)) {
    return Array.isArray(value) && value.length === named.length && named.every((one, i) => hasMembers(value[i], one));
  }
  if (!isObject(named)) return value === named;
  return isObject(value) && membersOf(named).every(([name, one]) => hasMembers(valueAt(value, [name]), one));
}
