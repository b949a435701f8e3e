import { closest } from "fastest-levenshtein";
import type { Generation } from "../contract/generation.ts";
import { isObject } from "../spec/json.ts";
import type { OpenApiDocument, SchemaObject } from "../spec/openapi.ts";
import type { CommonRule, Rules } from "./mockTypes.ts";
import { isRefusal, listedViolations, refuseContent, type Refusal, type Violation } from "./response/refusal.ts";
import { shorten } from "./secrets.ts";
import type { ServedContract } from "./servedContract.ts";
import { createValidator } from "./validation/validator.ts";
import { bodyViolations } from "./validation/violations.ts";

/** The rules of one kind in a session, which are none at first. */
export type RuleList<Rule extends CommonRule> = ReturnType<typeof createRuleList<Rule>>;

export function createRuleList<Rule extends CommonRule>(read: RuleReader<Rule>) {
  let rules: readonly Rule[] = [];
  return {
    read,
    list: () => rules,
    set: (next: readonly Rule[]) => {
      // Two that are equal are still two, and the caller may change its own.
      rules = next.map((rule) => ({ ...rule }));
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

/** Reads a list of rules of one kind, or with `others` a rule to be added after them. */
export type RuleReader<Rule> = (
  value: unknown,
  contract: ServedContract,
  others?: readonly Rule[],
) => readonly Rule[] | Refusal;

const mostRules = 100;

/**
 * Makes a reader of rules that have a schema, and that may only name operations of the contract. `check` finds what the
 * schema cannot say.
 */
export function createRuleReader<Rule extends CommonRule>(
  kind: string,
  schema: SchemaObject,
  check: (rule: Rule, pointer: string, contract: ServedContract) => readonly Violation[],
): RuleReader<Rule> {
  const checkForm = createFormCheck(schema);
  const isRule = (value: unknown, violations: readonly Violation[]): value is Rule =>
    isObject(value) && violations.length === 0;
  return (value, contract, others) => {
    const given = others === undefined ? value : [value];
    if (!Array.isArray(given)) return refuseContent([violationAt("", `The ${kind}s must be an array.`)]);
    const rules = [...(others ?? [])];
    if (rules.length + given.length > mostRules) {
      return refuseContent([violationAt("", `There can be no more than ${mostRules} ${kind}s.`)]);
    }
    const violations = given.flatMap((rule: unknown, index) => {
      const pointer = others === undefined ? `/${index}` : "";
      const malformed = checkForm(rule, pointer);
      if (!isRule(rule, malformed)) return malformed;
      rules.push(rule);
      const unknown = checkNames(rule, pointer, contract.generations);
      return unknown.length > 0 ? unknown : check(rule, pointer, contract);
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
  return {
    list: (session) => listOf(session).list(),
    set: (rules, session) => {
      const { set, read } = listOf(session);
      set(orThrow(read(rules, contract())));
    },
    add: (rule, session) => {
      const { list, set, read } = listOf(session);
      set(orThrow(read(rule, contract(), list())));
    },
    clear: (session) => {
      listOf(session).set([]);
    },
  };
}

function orThrow<T extends object>(value: T | Refusal): T {
  if (isRefusal(value)) throw new TypeError(value.detail);
  return value;
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
