import { messageOf } from "../../contract/failures.ts";
import { countOf } from "../../values/text.ts";
import type { ListedRule, OverrideResponse, OverrideRule } from "../mockTypes.ts";
import type { DescribedResponse } from "../content/describedResponse.ts";
import { isRefusal, type Refusal } from "../../exchange/refusal.ts";
import { maskAndCut, type Secrets } from "../../exchange/secrets.ts";
import { checkCondition, checkValues, conditionSchema, describeMismatch, findMismatch } from "./conditions.ts";
import { checkOverrideResponse, makeOverrideResponse, type OverridableRequest } from "./overrideResponse.ts";
import { createRuleReader, type RuleList, type RuleReader } from "./rules.ts";

export const overrideRules: RuleReader<OverrideRule> = createRuleReader(
  { when: conditionSchema, respond: {} },
  ["operation", "respond"],
  ({ operation: id, generation, when = {}, respond }, pointer, contract) => {
    const incomparable = checkValues(when, `${pointer}/when`);
    if (incomparable.length > 0) return incomparable;
    const operations = contract.generations
      .filter(({ name }) => name === (generation ?? name))
      .flatMap((one) => one.operations.filter(({ operationId }) => operationId === id));
    const unmet = operations.map((one) => checkCondition(when, `${pointer}/when`, one));
    if (unmet[0] !== undefined && unmet.every(({ length }) => length > 0)) return unmet[0];
    if (typeof respond === "function") return [];
    const wrong = operations.map((one) =>
      checkOverrideResponse(respond, `${pointer}/respond`, one, contract.prepare(one).responses),
    );
    return wrong.find(({ length }) => length > 0) ?? [];
  },
);

/** A request to find the first matching override for. */
interface MatchedRequest extends OverridableRequest {
  readonly secrets: Secrets;
}

/** The response of the override that matches a request. */
interface Overridden {
  /** `undefined` if none matches. */
  readonly response?: DescribedResponse | Refusal;
  readonly rule?: ListedRule<OverrideRule>;
  /** Why the overrides for the operation don't match. */
  readonly notes: readonly string[];
}

/** The most overrides whose mismatch is noted. */
const notedMisses = 3;

/** Makes the response of the first matching override. */
export async function applyOverride(
  { list, count }: RuleList<OverrideRule>,
  request: MatchedRequest,
): Promise<Overridden> {
  const { received, operation, responses, secrets } = request;
  const misses: string[] = [];
  for (const rule of list()) {
    const { id, when = {}, respond, generation = received.generation } = rule;
    if (rule.operation !== received.operation || generation !== received.generation) continue;
    const name = JSON.stringify(maskAndCut(id));
    const mismatch = findMismatch(when, received);
    if (mismatch !== undefined) {
      misses.push(`override ${name} didn't match: ${describeMismatch(mismatch, secrets)}`);
      continue;
    }
    const isFunction = typeof respond === "function";
    const fail = (why: string): Refusal => ({ status: 500, detail: `Override ${name} ${why}` });
    let chosen: OverrideResponse | undefined;
    try {
      chosen = isFunction ? await respond(received) : respond;
    } catch (error) {
      return { response: fail(`threw an error: ${messageOf(error)}`), notes: [] };
    }
    if (chosen === undefined) misses.push(`the function of override ${name} returned nothing`);
    if (chosen === undefined || !list().includes(rule)) continue;
    count(rule);
    const [wrong] = isFunction ? checkOverrideResponse(chosen, "/respond", operation, responses) : [];
    const made =
      wrong === undefined ? await makeOverrideResponse(chosen, request) : `returned a wrong response. ${wrong.message}`;
    if (typeof made === "string") return { response: fail(made), rule, notes: [] };
    if (isRefusal(made)) return { response: made, rule, notes: [] };
    const notes = [made.note, `override ${name} for ${rule.operation} applies`];
    return { response: { ...made, note: notes.filter((note) => note !== undefined).join("; ") }, rule, notes: [] };
  }
  const rest = misses.length - notedMisses;
  const more = rest > 0 ? [`${countOf(rest, "more override")} didn't match`] : [];
  return { notes: [...misses.slice(0, notedMisses), ...more] };
}
