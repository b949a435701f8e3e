/** What is said of changes that break a rule of `redocly diff`. */
import { elementsOf, membersOf, valueAt } from "../spec/json.ts";
import { isReference, resolve } from "../spec/openapi.ts";
import { typesOf } from "../spec/schemas.ts";
import type { FieldFact } from "./changes.ts";
import type { ToolChange } from "./runRedoclyDiff.ts";

/** Says what a change does; `undefined` if there is no more to say than that a field has another value. */
type Sentence = (fact: FieldFact) => string | undefined;

const sentences: Readonly<Record<string, Sentence>> = {
  "enum-values-added": gainedValues,
  "enum-values-removed": lostValues,
  "media-type-removed": mediaTypeRemoved,
  "operation-id-changed": operationIdRemoved,
  "operation-removed": operationRemoved,
  "parameter-became-required": parameterRequired,
  "parameter-removed": parameterRemoved,
  "path-removed": pathRemoved,
  "property-removed": propertyRemoved,
  "request-body-became-required": () => "Request body became required.",
  "request-body-removed": () => "Request body was removed.",
  "required-properties-added": propertiesRequired,
  "required-properties-removed": propertiesOptional,
  "response-header-removed": headerRemoved,
  "response-removed": ({ change }) => wentOrBecame(change, "Response", "became"),
  "schema-combinator-changed": combinatorChanged,
  "schema-constraint-changed": constraintChanged,
  "schema-type-changed": typeChanged,
  "security-requirement-changed": requirementChanged,
  "security-scheme-changed": schemeRemoved,
  "server-removed": serverRemoved,
};

/** The sentence on a change that breaks a rule; `undefined` if the rule has none for it. */
export function sentenceOn(rule: string | undefined, fact: FieldFact): string | undefined {
  return sentences[rule ?? ""]?.(fact);
}

/** Tells of something with a name that was removed or has another name now. */
function wentOrBecame(change: ToolChange, noun: string, verb: "became" | "was renamed to"): string | undefined {
  const { kind, keys, before, after } = change;
  if (kind === "removed") return `${noun} \`${keys.at(-1) ?? ""}\` was removed.`;
  return kind === "renamed" ? `${noun} \`${String(before)}\` ${verb} \`${String(after)}\`.` : undefined;
}

function gainedValues({ change: { before, after } }: FieldFact): string {
  return after === undefined ? "Enum was removed." : `Enum gained values: ${quotedList(newIn(after, before))}.`;
}

function lostValues({ change: { before, after } }: FieldFact): string | undefined {
  return before === undefined ? undefined : `Enum lost values: ${quotedList(newIn(before, after))}.`;
}

function mediaTypeRemoved({ change }: FieldFact): string | undefined {
  if (change.typeName === "MediaTypesMap") return "All media types were removed.";
  return wentOrBecame(change, "Media type", "became");
}

function operationIdRemoved({ change: { keys, after } }: FieldFact): string | undefined {
  return after === undefined ? `\`operationId\` of operation \`${operationName(keys)}\` was removed.` : undefined;
}

function operationRemoved({ change: { keys } }: FieldFact): string {
  return `Operation \`${operationName(keys)}\` was removed.`;
}

function operationName(keys: readonly string[]): string {
  const [method = "", path = ""] = keys.toReversed();
  return `${method.toUpperCase()} ${path}`;
}

function parameterRequired({ change, holders, documents: [, document] }: FieldFact): string {
  if (change.kind === "modified") return `${parameterName(holders[1])} became required.`;
  const added = change.typeName === "ParameterList" ? elementsOf(change.after) : [change.after];
  const parameters = added.map((one) => (isReference(one) ? resolve<object>(document, one) : one));
  return `Required ${parameterName(parameters.find((one) => valueAt(one, ["required"]) === true))} was added.`;
}

function parameterRemoved({ change, holders: [parameter] }: FieldFact): string | undefined {
  const { typeName, kind, property, before, after } = change;
  if (typeName === "ParameterList") return "All parameters were removed.";
  if (kind === "removed") return `${parameterName(before)} was removed.`;
  if (property === "in") return `${parameterName(parameter)} is now a ${String(after)} parameter.`;
  return `${parameterName(parameter)} was renamed to \`${String(after)}\`.`;
}

/** The name and place of a parameter: `` `limit` query parameter ``. */
function parameterName(parameter: unknown): string {
  return `\`${String(valueAt(parameter, ["name"]))}\` ${String(valueAt(parameter, ["in"]))} parameter`;
}

/** What Redocly's rules for paths are about, when all of them go. */
const allPaths: Readonly<Record<string, string>> = {
  Paths: "All paths were removed.",
  WebhooksMap: "All webhooks were removed.",
  CallbacksMap: "All callbacks were removed.",
};

function pathRemoved({ change }: FieldFact): string | undefined {
  const { typeName, keys } = change;
  const [key = "", callback = "", around] = keys.toReversed();
  if (typeName === "PathItem" && around === "callbacks") return `Callback \`${callback}\` no longer calls \`${key}\`.`;
  const noun = { paths: "Path", webhooks: "Webhook" }[callback] ?? "Callback";
  return allPaths[typeName] ?? wentOrBecame(change, noun, "was renamed to");
}

function propertyRemoved({ change }: FieldFact): string | undefined {
  if (change.typeName === "SchemaProperties") return "All properties were removed.";
  return wentOrBecame(change, "Property", "was renamed to");
}

function propertiesRequired(fact: FieldFact): string {
  const { before, after } = fact.change;
  const names = newIn(after, before).filter((name) => !isMarked(String(name), "readOnly", fact));
  return `Properties became required: ${codeList(names)}.`;
}

function propertiesOptional(fact: FieldFact): string {
  const { before, after } = fact.change;
  const names = newIn(before, after).filter((name) => !isMarked(String(name), "writeOnly", fact));
  return `Properties are no longer required: ${codeList(names)}.`;
}

/** Tells whether a property is marked in the newer of two schemas that has it. */
function isMarked(name: string, mark: "readOnly" | "writeOnly", { holders, documents }: FieldFact): boolean {
  const [before, after] = holders.map((schema) => valueAt(schema, ["properties", name]));
  const property = after ?? before;
  const document = after === undefined ? documents[0] : documents[1];
  return valueAt(isReference(property) ? resolve<object>(document, property) : property, [mark]) === true;
}

function headerRemoved({ change }: FieldFact): string | undefined {
  const { typeName, keys } = change;
  if (typeName === "HeadersMap") {
    const response = keys.filter((key) => key !== "$ref").at(-2) ?? "";
    return `All headers of response \`${response}\` were removed.`;
  }
  return wentOrBecame(change, "Response header", "was renamed to");
}

function combinatorChanged({ change: { typeName, kind, keys } }: FieldFact): string {
  if (typeName === "Schema") return `\`${keys.at(-2) ?? ""}\` subschema was ${kind}.`;
  return `\`${keys.at(-1) ?? ""}\` was ${kind}.`;
}

/** What is said of two keywords that limit a value together. */
const bounds = [
  { name: "Lower bound", keywords: ["minimum", "exclusiveMinimum"] },
  { name: "Upper bound", keywords: ["maximum", "exclusiveMaximum"] },
];

function constraintChanged({ change: { kind, keys, property }, holders: [, schema] }: FieldFact): string | undefined {
  if (kind !== "modified") return `\`${keys.at(-1) ?? ""}\` was ${kind}.`;
  const bound = bounds.find(({ keywords }) => keywords.includes(property));
  const isLeft = bound?.keywords.some((keyword) => valueAt(schema, [keyword]) !== undefined) ?? true;
  return isLeft ? undefined : `${bound?.name ?? ""} was removed.`;
}

function typeChanged({ change: { property, before, after } }: FieldFact): string | undefined {
  if (property !== "type") return undefined;
  return `Type changed from '${typeText(before)}' to '${typeText(after)}'.`;
}

function typeText(type: unknown): string {
  return typesOf({ type }).join(" | ") || "any";
}

function requirementChanged({ change, holders: [requirement] }: FieldFact): string {
  const { kind, property, before, after } = change;
  if (kind === "added") return "Authentication became required.";
  const former = `Security requirement \`${schemeNames(kind === "removed" ? before : requirement)}\``;
  if (kind === "removed") return `${former} is no longer accepted.`;
  if (before === undefined) return `${former} now requires \`${property}\`.`;
  return `Security scheme \`${property}\` requires new scopes: ${quotedList(newIn(after, before))}.`;
}

function schemeNames(requirement: unknown): string {
  return membersOf(requirement)
    .map(([name]) => name)
    .join(" + ");
}

function schemeRemoved({ change }: FieldFact): string | undefined {
  const { kind, keys, property, after } = change;
  if (kind !== "modified") return wentOrBecame(change, "Security scheme", "was renamed to");
  return after === undefined ? `\`${property}\` of security scheme \`${keys.at(-1) ?? ""}\` was removed.` : undefined;
}

function serverRemoved({ change: { kind, typeName, before, after } }: FieldFact): string {
  if (typeName !== "Server") return "All servers were removed.";
  if (kind === "removed") return `Server \`${String(valueAt(before, ["url"]))}\` was removed.`;
  return `Server \`${String(before)}\` became \`${String(after)}\`.`;
}

/** The values of a list that another one doesn't have. */
function newIn(list: unknown, other: unknown): readonly unknown[] {
  const known = elementsOf(other);
  return elementsOf(list).filter((value) => !known.includes(value));
}

function quotedList(values: readonly unknown[]): string {
  return values.map((value) => `'${String(value)}'`).join(", ");
}

function codeList(values: readonly unknown[]): string {
  return values.map((value) => `\`${String(value)}\``).join(", ");
}
