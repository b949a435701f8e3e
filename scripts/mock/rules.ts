import { closest } from "fastest-levenshtein";
import type { Generation } from "../contract/generation.ts";
import type { OpenApiDocument, SchemaObject } from "../spec/openapi.ts";
import type { CommonRule, Rules } from "./mockTypes.ts";
import { isRefusal, listedViolations, refuseContent, type Refusal, type Violation } from "./response/refusal.ts";
import { shorten } from "./secrets.ts";
import type { ServedContract } from "./servedContract.ts";
import { createValidator } from "./validation/validator.ts";
import { bodyViolations } from "./validation/violations.ts";

/** The rules of one kind in a session, which are none at first. */
export type RuleList<Rule extends CommonRule> = ReturnType<typeof createRuleList<Rule>>;

/** `onChange` is called when there are other rules. */
export function createRuleList<Rule extends CommonRule>(read: RuleReader<Rule>, onChange?: () => void) {
  let rules: readonly Rule[] = [];
  const set = (next: readonly Rule[] | Refusal): Refusal | undefined => {
    if (isRefusal(next)) return next;
    // Two that are equal are still two, and the caller may change its own.
    rules = next.map((rule) => ({ ...rule }));
    onChange?.();
    return undefined;
  };
  return {
    list: () => rules,
    clear: () => {
      set([]);
    },
    /** Replaces the rules, or says what is wrong with the new ones. */
    replace: (value: unknown, contract: ServedContract): Refusal | undefined => {
      if (!Array.isArray(value)) return refuseContent([violationAt("", "The rules must be an array.")]);
      if (value.length > mostRules) return tooMany;
      return set(read(value, contract, (index) => `/${index}`));
    },
    /** Adds a rule after the others, or says what is wrong with it. */
    add: (value: unknown, contract: ServedContract): Refusal | undefined => {
      if (rules.length >= mostRules) return tooMany;
      const added = read([value], contract, () => "");
      return isRefusal(added) ? added : set([...rules, ...added]);
    },
    /** Counts a request that a rule applies to. */
    count: (rule: Rule) => {
      const { times } = rule;
      if (times === 1) rules = rules.filter((other) => other !== rule);
      else if (times !== undefined) {
        rules = rules.map((other) => (other === rule ? { ...rule, times: times - 1 } : other));
      }
    },
  };
}

/** Checks rules of one kind, each of which stands at a JSON Pointer in what was sent. */
export type RuleReader<Rule> = (
  values: readonly unknown[],
  contract: ServedContract,
  pointerOf: (index: number) => string,
) => readonly Rule[] | Refusal;

const mostRules = 100;
const tooMany = refuseContent([violationAt("", `There can be no more than ${mostRules} rules.`)]);

const commonMembers = {
  operation: { type: "string" },
  generation: { type: "string" },
  times: { type: "integer", minimum: 1, maximum: 2 ** 31 },
} satisfies Record<keyof CommonRule, SchemaObject>;

/** The schemas of the other members of a rule. */
export type OwnMembers<Rule> = Readonly<Record<Exclude<keyof Rule, keyof CommonRule>, SchemaObject>>;

/** Makes a reader of rules that may only name operations of the contract. `check` finds what schemas cannot say. */
export function createRuleReader<Rule extends CommonRule>(
  members: OwnMembers<Rule>,
  required: string[],
  check: (rule: Rule, pointer: string, contract: ServedContract) => readonly Violation[],
): RuleReader<Rule> {
  const properties = { ...commonMembers, ...members };
  const checkForm = createFormCheck({ type: "object", properties, required, additionalProperties: false });
  const isRule = (_: unknown, malformed: readonly Violation[]): _ is Rule => malformed.length === 0;
  return (values, contract, pointerOf) => {
    const rules: Rule[] = [];
    const violations = values.flatMap((value, index) => {
      const pointer = pointerOf(index);
      const malformed = checkForm(value, pointer);
      if (!isRule(value, malformed)) return malformed;
      rules.push(value);
      const unknown = checkNames(value, pointer, contract.generations);
      return unknown.length > 0 ? unknown : check(value, pointer, contract);
    });
    return violations.length === 0 ? rules : refuseContent(violations.slice(0, listedViolations));
  };
}

/** Makes a function that holds a value against a schema. The value stands at `pointer` in what was sent. */
export function createFormCheck(
  schema: SchemaObject,
  document: OpenApiDocument = { openapi: "3.1.1" },
  oneWay?: "writeOnly",
): (value: unknown, pointer: string) => readonly Violation[] {
  const validate = createValidator(schema, document, oneWay);
  return (value, pointer) =>
    bodyViolations(validate(value), schema, document).map((violation) => {
      const place = pointer + (violation.pointer ?? "");
      const message = violation.message.replace(/^(?:The body|\S+ in the body)/, place === "" ? "The rule" : place);
      return { ...violation, pointer: place, message };
    });
}

export function violationAt(pointer: string, message: string, expected?: unknown): Violation {
  return { in: "body", pointer, message, ...(expected !== undefined && { expected }) };
}

/** The rules of all sessions as programs see them: what is wrong with one is thrown. */
export function rulesForPrograms<Rule extends CommonRule>(
  listOf: (session?: string) => RuleList<Rule>,
  contract: () => ServedContract,
): Rules<Rule> {
  const throwIf = (refusal: Refusal | undefined) => {
    if (refusal !== undefined) throw new TypeError(refusal.detail);
  };
  return {
    list: (session) => listOf(session).list(),
    set: (rules, session) => {
      throwIf(listOf(session).replace(rules, contract()));
    },
    add: (rule, session) => {
      throwIf(listOf(session).add(rule, contract()));
    },
    clear: (session) => {
      listOf(session).clear();
    },
  };
}

function checkNames(
  { operation, generation }: CommonRule,
  pointer: string,
  generations: readonly Generation[],
): readonly Violation[] {
  const named = generations.filter(({ name }) => name === (generation ?? name));
  const names = generations.map(({ name }) => name);
  if (named.length === 0) return [unknownName(`${pointer}/generation`, generation, names)];
  const ids = named.flatMap(({ operations }) => operations.flatMap(({ operationId }) => operationId ?? []));
  if (operation === undefined || ids.includes(operation)) return [];
  return [unknownName(`${pointer}/operation`, operation, ids)];
}

function unknownName(pointer: string, value: unknown, names: readonly string[]): Violation {
  // Long names are compared by their beginnings only, so that no request takes long.
  const name = String(value).slice(0, 200);
  const nearest = names.length === 0 ? undefined : closest(name, names);
  const kind = pointer.endsWith("/operation") ? "operation has the operationId" : "generation has the name";
  const hint = nearest === undefined ? "" : ` The most similar one is ${JSON.stringify(nearest)}.`;
  return violationAt(pointer, `${pointer}: no ${kind} ${JSON.stringify(shorten(name))}.${hint}`, nearest);
}
