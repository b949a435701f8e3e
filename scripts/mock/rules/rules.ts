import { withoutMembers } from "../../values/json.ts";
import type { OpenApiDocument, SchemaObject } from "../../spec/openapi.ts";
import { listInWords } from "../../values/text.ts";
import type { FaultRule, ListedRule, Rules } from "../mockTypes.ts";
import { isRefusal, listedViolations, refusalOf, refuseContent, type Refusal } from "../../exchange/refusal.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";
import { maskAndCut } from "../../exchange/secrets.ts";
import type { ServedContract } from "../content/servedContract.ts";
import { memoryOf, spend, type Budget } from "../state/budget.ts";
import { refuseMore } from "../state/stateRefusals.ts";
import { meantName, suggestNames } from "../../values/similarName.ts";
import { createValidator } from "../../exchange/validator.ts";
import { bodyViolations } from "../../exchange/violations.ts";

/** Fields that all kinds of rules share. */
export type CommonRule = Pick<FaultRule, "generation" | "id" | "operation" | "times">;

/** Reads rules, or refuses them. Each is identified by a JSON Pointer into the request body. */
export type RuleReader<Rule> = (
  values: readonly unknown[],
  contract: ServedContract,
  pointerOf: (index: number) => string,
) => readonly Rule[] | Refusal;

/** The rules of one kind in a session, initially empty. */
export type RuleList<Rule extends CommonRule> = ReturnType<typeof createRuleList<Rule>>;

const maxRules = 100;

/** Calls `onChange` whenever the rules change. */
export function createRuleList<Rule extends CommonRule>(read: RuleReader<Rule>, budget: Budget, onChange?: () => void) {
  let rules: readonly ListedRule<Rule>[] = [];
  let lastId = 0;
  /** How much of the budget each rule takes. */
  let sizes: ReadonlyMap<ListedRule<Rule>, number> = new Map();
  /** Stores rules. Returns whether the budget had room for them. */
  const put = (changed: readonly ListedRule<Rule>[]): boolean => {
    const changedSizes = new Map(changed.map((rule) => [rule, sizes.get(rule) ?? memoryOf(rule)]));
    if (!spend(budget, sumOf(changedSizes) - sumOf(sizes))) return false;
    rules = changed;
    sizes = changedSizes;
    return true;
  };
  /** Copies a rule, because equal rules are still separate rules, and callers may change their own. */
  const withId = (rule: Rule, taken: ReadonlySet<string | undefined>): ListedRule<Rule> => {
    let { id } = rule;
    while (id === undefined || (rule.id === undefined && taken.has(id))) id = String((lastId += 1));
    return { ...rule, id, used: 0 };
  };
  const change = (
    kept: readonly ListedRule<Rule>[],
    values: readonly unknown[],
    contract: ServedContract,
    pointerOf: (index: number) => string,
  ): Refusal | undefined => {
    if (kept.length + values.length > maxRules)
      return refuseContent([violationAt("", `A session has at most ${maxRules} rules of a kind.`)]);
    const added = read(values, contract, pointerOf);
    if (isRefusal(added)) return added;
    const ids = [...kept, ...added].flatMap(({ id }) => id ?? []);
    const taken = new Set(ids);
    if (taken.size < ids.length) return refuseRepeated(ids);
    if (!put([...kept, ...added.map((rule) => withId(rule, taken))])) return refuseMore(budget);
    onChange?.();
    return undefined;
  };
  return {
    list: () => rules,
    clear: () => {
      put([]);
      onChange?.();
    },
    set: (values: unknown, contract: ServedContract) =>
      Array.isArray(values)
        ? change([], values, contract, (index) => `/${index}`)
        : refuseContent([violationAt("", "The rules must be an array.")]),
    add: (value: unknown, contract: ServedContract) => change(rules, [value], contract, () => ""),
    /** Removes a rule by its id. Returns a refusal if no rule has it. */
    remove: (id: string): Refusal | undefined => {
      const kept = rules.filter((rule) => rule.id !== id);
      if (kept.length === rules.length) return refuseId(id, rules);
      put(kept);
      onChange?.();
      return undefined;
    },
    count: (rule: ListedRule<Rule>) => {
      // The same rule may be in use by other requests.
      Object.assign(rule, { used: rule.used + 1 });
      if (rule.times === undefined) return;
      Object.assign(rule, { times: rule.times - 1 });
      if (rule.times === 0) put(rules.filter((other) => other !== rule));
    },
  };
}

function refuseRepeated(ids: readonly string[]): Refusal {
  const [repeated = ""] = ids.filter((id, index) => ids.indexOf(id) !== index);
  return refuseContent([violationAt("", `Two rules have the id ${JSON.stringify(maskAndCut(repeated))}.`)]);
}

function refuseId(id: string, rules: readonly { readonly id: string }[]): Refusal {
  const ids = rules.map((rule) => JSON.stringify(maskAndCut(rule.id)));
  const known = ids.length === 0 ? "there are no rules" : `the rules have the ids ${listInWords(ids)}`;
  return refusalOf(404, {
    code: "rule",
    in: "path",
    message: `No rule has the id ${JSON.stringify(maskAndCut(id))}: ${known}.`,
  });
}

function sumOf(sizes: ReadonlyMap<unknown, number>): number {
  let sum = 0;
  for (const size of sizes.values()) sum += size;
  return sum;
}

const commonMembers = {
  id: { type: "string", minLength: 1, maxLength: 200 },
  operation: { type: "string" },
  generation: { type: "string" },
  times: { type: "integer", minimum: 1, maximum: 2 ** 31 },
} satisfies Record<keyof CommonRule, SchemaObject>;

/**
 * Creates a reader of rules, which may only name operations of the contract. `members` has schemas for the
 * fields of one kind of rule. `check` finds mistakes that schemas can't express.
 */
export function createRuleReader<Rule extends CommonRule>(
  members: Readonly<Record<Exclude<keyof Rule, keyof CommonRule>, SchemaObject>>,
  required: string[],
  check: (rule: Rule, pointer: string, contract: ServedContract) => readonly FoundViolation[],
): RuleReader<Rule> {
  const properties = { ...commonMembers, ...members };
  const checkForm = createFormCheck({ type: "object", properties, required, additionalProperties: false });
  const isRule = (_: unknown, malformed: readonly FoundViolation[]): _ is Rule => malformed.length === 0;
  return (values, contract, pointerOf) => {
    const rules: Rule[] = [];
    const violations = values.flatMap((given, index) => {
      const pointer = pointerOf(index);
      // A rule from a list may be set again.
      const value = withoutMembers(given, ["used"]);
      const malformed = checkForm(value, pointer);
      if (!isRule(value, malformed)) return malformed;
      rules.push(value);
      const unknown = checkNames(value, pointer, contract);
      return unknown.length > 0 ? unknown : check(value, pointer, contract);
    });
    return violations.length === 0 ? rules : refuseContent(violations.slice(0, listedViolations));
  };
}

/** Creates a function that checks a value against a schema. `pointer` leads to the value in the request body. */
export function createFormCheck(
  schema: SchemaObject,
  document: OpenApiDocument = { openapi: "3.1.1" },
  oneWay?: "writeOnly",
): (value: unknown, pointer: string) => readonly FoundViolation[] {
  const validate = createValidator(schema, document, oneWay);
  return (value, pointer) =>
    bodyViolations(validate(value), { schema, document }, (inner) => nameInRules(pointer + inner)).map((violation) => ({
      ...violation,
      pointer: pointer + (violation.pointer ?? ""),
    }));
}

function nameInRules(pointer: string): string {
  return pointer === "" ? "The rule" : maskAndCut(pointer, 200);
}

export function violationAt(pointer: string, message: string, expected?: unknown): FoundViolation {
  return { code: "rule", in: "body", pointer, message, ...(expected !== undefined && { expected }) };
}

/** The rules of all sessions, for programs. Throws where a rule is invalid. */
export function rulesForPrograms<Rule extends CommonRule>(
  listOf: (session?: string) => RuleList<Rule>,
  contract: () => ServedContract,
): Rules<Rule> {
  const throwIf = (refusal: Refusal | undefined) => {
    if (refusal !== undefined) throw new TypeError(refusal.detail);
  };
  return {
    list: (session) => Array.from(listOf(session).list(), (rule) => ({ ...rule })),
    set: (rules, session) => {
      throwIf(listOf(session).set(rules, contract()));
    },
    add: (rule, session) => {
      const list = listOf(session);
      throwIf(list.add(rule, contract()));
      return list.list().at(-1)?.id ?? "";
    },
    remove: (id, session) => {
      throwIf(listOf(session).remove(id));
    },
    clear: (session) => {
      listOf(session).clear();
    },
  };
}

function checkNames({ operation, generation }: CommonRule, pointer: string, { generations }: ServedContract) {
  const named = generations.filter(({ name }) => name === (generation ?? name));
  const names = generations.map(({ name }) => name);
  if (named.length === 0) return [unknownName(`${pointer}/generation`, "generation has the name", generation, names)];
  const ids = named.flatMap(({ operations }) => operations.flatMap(({ operationId }) => operationId ?? []));
  if (operation === undefined || ids.includes(operation)) return [];
  return [unknownName(`${pointer}/operation`, "operation has the operationId", operation, ids)];
}

function unknownName(pointer: string, what: string, value: unknown, names: readonly string[]): FoundViolation {
  const name = String(value);
  const message = `${pointer}: no ${what} ${JSON.stringify(maskAndCut(name))}: ${suggestNames(name, names)}`;
  return violationAt(pointer, message, meantName(name, names));
}
