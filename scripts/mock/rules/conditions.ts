import { isSent, type Operation, type Parameter } from "../../contract/generation.ts";
import { countOf } from "../../values/text.ts";
import { createReader } from "../../exchange/valueReader.ts";
import type { FoundViolation } from "../../exchange/requestViolation.ts";
import { maskHeader, maskParameter, maskValues, maskAndCut, type Secrets } from "../../exchange/secrets.ts";
import { parameterViolations } from "../../exchange/violations.ts";
import { isBinaryContent } from "../../spec/binary.ts";
import { isObject, jsonPointer, membersOf, valueAt } from "../../values/json.ts";
import type { SchemaObject } from "../../spec/openapi.ts";
import type { OverrideRule, ReceivedRequest } from "../mockTypes.ts";
import { partialDocument, partialSchema } from "./partialSchema.ts";
import { suggestNames } from "../../values/similarName.ts";
import { isTooLong, matcherViolations, readMatcher, withoutMatchers } from "./matchers.ts";
import { createFormCheck, violationAt } from "./rules.ts";

/** The condition of an override. */
export type Condition = NonNullable<OverrideRule["when"]>;

const places = ["path", "query", "headers"] as const;

const object: SchemaObject = { type: "object" };

/** The schema of a condition's members. {@link checkValues} checks the values in them. */
export const conditionSchema: SchemaObject = {
  ...object,
  properties: { path: object, query: object, headers: object, body: {} },
  additionalProperties: false,
};

const textTypes = ["string", "number", "boolean"];
const texts: SchemaObject = { additionalProperties: { type: textTypes } };
const lists: SchemaObject = { additionalProperties: { type: [...textTypes, "array"], items: { type: textTypes } } };
const checkTexts = createFormCheck({ properties: { path: texts, query: lists, headers: lists } });

/** Lists the values of a condition that can't be compared with anything in a request. */
export function checkValues(when: Condition, pointer: string): readonly FoundViolation[] {
  const foreign = findForeignValue(when);
  if (foreign !== undefined) {
    const place = pointer + jsonPointer(foreign.keys);
    const hint =
      foreign.type === "RegExp"
        ? "Write the expression as { $pattern: text }."
        : "For other conditions, respond with a function.";
    return [violationAt(place, `${place} must be JSON, not of type ${foreign.type}. ${hint}`)];
  }
  const wrong = matcherViolations(when, pointer);
  return wrong.length > 0 ? wrong : checkTexts(withoutMatchers(when), pointer);
}

/** Finds a value that isn't JSON. Schemas can't distinguish it from an object. */
function findForeignValue(value: unknown): { readonly keys: readonly string[]; readonly type: string } | undefined {
  const type = typeof value === "object" ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
  if (["string", "number", "boolean", "undefined", "Null"].includes(type)) return undefined;
  const members = type === "Object" ? membersOf(value) : Array.isArray(value) ? Object.entries(value) : undefined;
  if (members === undefined) return { keys: [], type };
  for (const [name, member] of members) {
    const found = findForeignValue(member);
    if (found !== undefined) return { ...found, keys: [name, ...found.keys] };
  }
  return undefined;
}

/** Lists the reasons why no valid request for an operation meets a condition. Empty if one may. */
export function checkCondition(when: Condition, pointer: string, operation: Operation): readonly FoundViolation[] {
  const inParameters = places.flatMap((place) =>
    membersOf(when[place]).flatMap(([name, value]) =>
      checkParameter(place, name, value, operation).map(({ message, expected }) =>
        violationAt(`${pointer}/${place}${jsonPointer([name])}`, `${pointer}/${place}: ${message}`, expected),
      ),
    ),
  );
  return when.body === undefined
    ? inParameters
    : [...inParameters, ...checkBody(when.body, `${pointer}/body`, operation)];
}

function checkParameter(place: (typeof places)[number], name: string, value: unknown, operation: Operation) {
  const isHeader = place === "headers";
  const declared = operation.parameters.filter((one) => one.in === (isHeader ? "header" : place));
  const own = isHeader ? name.toLowerCase() : name;
  const parameter = declared.find((one) => (isHeader ? one.name.toLowerCase() : one.name) === own);
  // Clients and proxies add headers that no operation lists.
  if (parameter === undefined)
    return isHeader || mayHaveParameter(name, place, operation) ? [] : [refuseName(place, name, declared)];
  if (!isSent(parameter) || readMatcher(value) !== undefined) return [];
  const { document } = operation;
  const sent = Array.isArray(value) ? value.map(String) : String(value);
  const { violations = [] } = createReader(parameter.schema, document)(sent) ?? {};
  // A request may have other items of a list, too.
  const certain = violations.filter(({ keyword }) => keyword !== "minItems" && keyword !== "contains");
  return parameterViolations(parameter, certain, value, document);
}

/** Returns whether an operation may have a parameter of that name: a credential, or a part of one that is only shown. */
export function mayHaveParameter(name: string, place: string, { parameters, security }: Operation): boolean {
  return (
    parameters.some((one) => one.in === place && !one.isText) ||
    security.flat().some((scheme) => scheme.in === place && scheme.parameter === name)
  );
}

function refuseName(place: string, name: string, declared: readonly Parameter[]): FoundViolation {
  const names = declared.map((one) => one.name);
  const message = `the operation has no ${place} parameter ${JSON.stringify(maskAndCut(name))}: ${suggestNames(name, names)}`;
  return violationAt("", message, names);
}

function checkBody(
  condition: unknown,
  pointer: string,
  { requestBody, document }: Operation,
): readonly FoundViolation[] {
  const contents = requestBody?.content ?? [];
  if (contents.length === 0) return [violationAt(pointer, `${pointer}: the operation has no request body.`)];
  const parts = partialDocument(document);
  const body = withoutMatchers(condition);
  if (body === undefined) return [];
  const found = contents.map((content) =>
    // The mock doesn't read files.
    isBinaryContent(document, content) ? [] : createFormCheck(partialSchema(content.schema), parts)(body, pointer),
  );
  return found.find(({ length }) => length === 0) ?? found[0] ?? [];
}

/** A part of a condition that a request doesn't meet. */
interface Mismatch {
  readonly place: keyof Condition;
  readonly keys: readonly string[];
  readonly received: unknown;
  readonly expected: unknown;
}

/** Finds the first part of a condition that a request doesn't meet; `undefined` if it meets all. */
export function findMismatch(when: Condition, { path, query, headers, body }: ReceivedRequest): Mismatch | undefined {
  return (
    findOtherText("path", path, when.path) ??
    findOtherText("query", query, when.query) ??
    findOtherText("headers", headers, withLowerCaseNames(when.headers ?? {})) ??
    (when.body === undefined ? undefined : findOtherMember(body, when.body, []))
  );
}

function findOtherText(
  place: keyof Condition,
  sent: ReceivedRequest["query"],
  named: Condition["query"] = {},
): Mismatch | undefined {
  const other = Object.entries(named).find(([name, value]) => {
    const texts = Object.hasOwn(sent, name) ? [sent[name]].flat() : [];
    const matcher = readMatcher(value);
    if (typeof matcher === "function") return texts.length === 0 ? !matcher(undefined) : !texts.some(matcher);
    return ![value].flat().every((one) => texts.includes(String(one)));
  });
  if (other === undefined) return undefined;
  const [name, expected] = other;
  return { place, keys: [name], received: sent[name], expected };
}

/** Compares a body with a value. Ignores members of objects that only the body has. */
function findOtherMember(received: unknown, expected: unknown, keys: readonly string[]): Mismatch | undefined {
  const matcher = readMatcher(expected);
  if (typeof matcher === "function") return matcher(received) ? undefined : { place: "body", keys, received, expected };
  const isList = Array.isArray(expected) && Array.isArray(received) && received.length === expected.length;
  if (!isList && !(isObject(expected) && isObject(received)))
    return received === expected ? undefined : { place: "body", keys, received, expected };
  for (const [name, member] of Object.entries(expected)) {
    const found = findOtherMember(valueAt(received, [name]), member, [...keys, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Describes a mismatch without secrets: `path.teamId is 7, not 8`. */
export function describeMismatch({ place, keys, received, expected }: Mismatch, secrets: Secrets): string {
  const name = maskAndCut([place, ...keys].join("."), 200);
  if (received === undefined) return `${name} is missing`;
  if (Array.isArray(received) && Array.isArray(expected))
    return `${name} has ${countOf(received.length, "item")}, not ${expected.length}`;
  // In a program, a member of a condition may be undefined.
  if (expected === undefined) return `${name} isn't missing`;
  if ([received].flat().some((text) => isTooLong(text, expected))) return `${name} is too long for its $pattern`;
  const show = (value: unknown) => maskAndCut(place === "body" ? showMember(value, keys, secrets) : showText(value));
  const showText = (value: unknown) => {
    const maskOne = place === "headers" ? maskHeader : maskParameter;
    return [value]
      .flat()
      .map((one) =>
        maskOne(keys[0] ?? "", isObject(one) ? JSON.stringify(one) : String(one), secrets.isSecretParameter),
      )
      .join(", ");
  };
  const [own, other] = [show(received), show(expected)];
  return own === other ? `${name} has another value` : `${name} is ${own}, not ${other}`;
}

function showMember(value: unknown, keys: readonly string[], { isSecretProperty }: Secrets): string {
  return JSON.stringify(maskValues(value, isSecretProperty, keys.some(isSecretProperty)));
}

/** Headers by their names in lower case. */
export function withLowerCaseNames<T>(members: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name.toLowerCase(), value]));
}
