import { messageOf } from "../../contract/failures.ts";
import { countOf } from "../../values/text.ts";
import type { OverrideResponse, OverrideRule, ReceivedRequest } from "../mockTypes.ts";
import type { DescribedResponse } from "../content/describedResponse.ts";
import { isRefusal, type Refusal } from "../../exchange/refusal.ts";
import { shorten, type Secrets } from "../../exchange/secrets.ts";
import { checkCondition, checkValues, conditionSchema, describeMismatch, findMismatch } from "./conditions.ts";
import { checkOverrideResponse, makeOverrideResponse, type OverridableRequest } from "./overrideResponse.ts";
import type { Receipt } from "./requestEntry.ts";
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
  /** Gets the override that applies, or the reason why each override for the operation doesn't. */
  readonly receipt: Pick<Receipt, "notes" | "overrideRule">;
}

/** The most overrides whose mismatch is noted. */
const notedMisses = 3;

/** Makes the response of the first matching override, or `undefined` if none matches. */
export async function applyOverride(
  { list, count }: RuleList<OverrideRule>,
  request: MatchedRequest,
): Promise<DescribedResponse | Refusal | undefined> {
  const { received, operation, responses, secrets, receipt } = request;
  const misses: string[] = [];
  for (const rule of list()) {
    if (!isForOperation(rule, received)) continue;
    const { id, when = {}, respond } = rule;
    const name = JSON.stringify(shorten(id));
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
      return fail(`threw an error: ${messageOf(error)}`);
    }
    if (chosen === undefined) misses.push(`the function of override ${name} returned nothing`);
    if (chosen === undefined || !list().includes(rule)) continue;
    count(rule);
    receipt.overrideRule = rule;
    const [wrong] = isFunction ? checkOverrideResponse(chosen, "/respond", operation, responses) : [];
    if (wrong !== undefined) return fail(`returned a wrong response. ${wrong.message}`);
    const response = await makeOverrideResponse(chosen, request);
    if (typeof response === "string") return fail(response);
    if (isRefusal(response)) return response;
    const notes = [response.note, `override ${name} for ${rule.operation} applies`];
    return { ...response, note: notes.filter((note) => note !== undefined).join("; ") };
  }
  const rest = misses.length - notedMisses;
  receipt.notes.push(
    ...misses.slice(0, notedMisses),
    ...(rest > 0 ? [`${countOf(rest, "more override")} didn't match`] : []),
  );
  return undefined;
}

function isForOperation({ operation, generation }: OverrideRule, request: ReceivedRequest): boolean {
  return operation === request.operation && (generation ?? request.generation) === request.generation;
}
