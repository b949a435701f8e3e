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
  const set = (next: readonly Rule[]) => {
    // Two that are equal are still two, and the caller may change its own.
    rules = next.map((rule) => ({ ...rule }));
    onChange?.();
  };
  return {
    list: () => rules,
    clear: () => {
      set([]);
    },
    /** Replaces the rules, or says what is wrong with the new ones. */
    replace: (value: unknown, contract: ServedContract): Refusal | undefined => {
      const next = read(value, contract);
      if (isRefusal(next)) return next;
      set(next);
      return undefined;
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

/** Checks a list of rules of one kind. */
export type RuleReader<Rule> = (value: unknown, contract: ServedContract) => readonly Rule[] | Refusal;

const mostRules = 100;

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
  const rule: SchemaObject = { type: "object", properties, required, additionalProperties: false };
  const checkForm = createFormCheck({ type: "array", maxItems: mostRules, items: rule });
  const isList = (_: unknown, violations: readonly Violation[]): _ is readonly Rule[] => violations.length === 0;
  return (value, contract) => {
    const malformed = checkForm(value, "");
    if (!isList(value, malformed)) return refuseContent(malformed);
    const violations = value.flatMap((rule, index) => {
      const unknown = checkNames(rule, `/${index}`, contract.generations);
      return unknown.length > 0 ? unknown : check(rule, `/${index}`, contract);
    });
    return violations.length === 0 ? value : refuseContent(violations.slice(0, listedViolations));
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
      const message = violation.message.replace(
        /^(?:The body|\S+ in the body)/,
        place === "" ? "The list of rules" : place,
      );
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
  const change = (next: readonly Rule[], session?: string) => {
    const refusal = listOf(session).replace(next, contract());
    if (refusal !== undefined) throw new TypeError(refusal.detail);
  };
  return {
    list: (session) => listOf(session).list(),
    set: change,
    add: (rule, session) => {
      change([...listOf(session).list(), rule], session);
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
