import { isDeepStrictEqual } from "node:util";
import { elementsOf, isObject, mapMembers, membersOf, pointerKeys, valueAt } from "../spec/json.ts";
import { isReference, resolve } from "../spec/openapi.ts";
import type { Direction } from "../spec/schemas.ts";
import { extensionList } from "./normalizedDocument.ts";
import type { ToolChange } from "./runRedoclyDiff.ts";

/** A change with what most rules ask for. */
interface ChangeInUse extends ToolChange {
  /** Consumers send values of the place, or receive them. */
  readonly sends: boolean;
  readonly receives: boolean;
  /** The documents that are compared. */
  readonly documents: readonly [before: object, after: object];
}

type Test = (change: ChangeInUse) => boolean;

/** Changes that break consumers, although `redocly diff` doesn't say so. The place decides for whom. */
const breaking: Readonly<Record<string, Test>> = {
  "default-changed": ({ property, sends, before }) => property === "default" && sends && before !== undefined,
  "dependent-required": changesDependentRequired,
  "condition-changed": changesCondition,
  "contains-changed": changesContains,
  "discriminator-changed": changesDiscriminator,
  "encoding-changed": changesEncoding,
  "known-values-removed": removesKnownValues,
  "item-position-changed": ({ property }) => property === "$anchor",
  // Names of schemas are names of types.
  "name-changed": ({ keys, kind }) => isNamedSchema(keys) && kind !== "added",
  "oauth-flow-changed": changesFlow,
  "pagination-changed": ({ property, before }) => property === "x-pagination" && before !== undefined,
  "parameter-content-changed": changesParameterContent,
  "schema-changed": changesSchema,
  "request-read-only": ({ property, after }) => property === "readOnly" && after === true,
  "response-write-only": ({ property, after }) => property === "writeOnly" && after === true,
  "request-body-added": addsRequestBody,
  "request-property-removed": removesRequestProperty,
  "response-success-added": addsSuccess,
  "response-header-optional": ({ typeName, property, receives, after }) =>
    typeName === "Header" && property === "required" && receives && after !== true,
};

/** Changes that `redocly diff` takes for breaking, although no consumer feels them. */
const harmless: readonly Test[] = [
  removesFailure,
  ({ property, after }) => (property === "allowEmptyValue" || property === "allowReserved") && after === true,
  // Responses may have more fields than they list.
  ({ property, before }) =>
    (property === "additionalProperties" || property === "unevaluatedProperties") && before === false,
  widensFormat,
  widensDivisor,
];

/** Rules about one direction, whatever uses the place. */
const directions: Readonly<Record<string, Direction>> = {
  "default-changed": "request",
  "enum-values-added": "response",
  "enum-values-removed": "request",
  "known-values-removed": "request",
  "parameter-became-required": "request",
  "parameter-content-changed": "request",
  "parameter-removed": "request",
  "parameter-serialization-changed": "request",
  "request-body-added": "request",
  "request-body-became-required": "request",
  "request-body-removed": "request",
  "request-property-removed": "request",
  "request-read-only": "request",
  "required-properties-added": "request",
  "required-properties-removed": "response",
  "response-header-optional": "response",
  "response-header-removed": "response",
  "response-removed": "response",
  "response-success-added": "response",
  "response-write-only": "response",
};

/** The rule by which a change breaks consumers: one of `redocly diff`, or one of ours. `uses` are the directions of the place. */
export function findBreakage(
  change: ToolChange,
  uses: readonly Direction[],
  documents: ChangeInUse["documents"],
): string | undefined {
  const inUse = { ...change, sends: uses.includes("request"), receives: uses.includes("response"), documents };
  if (change.rule !== undefined && !harmless.some((test) => test(inUse))) return change.rule;
  return Object.keys(breaking).find((rule) => breaking[rule]?.(inUse));
}

/** The direction that a rule is about; else that of the place, where it is only one. */
export function directionOf(rule: string | undefined, uses: readonly Direction[]): Direction | undefined {
  const [only, ...others] = uses;
  return directions[rule ?? ""] ?? (others.length === 0 ? only : undefined);
}

/** Tells whether some keys lead to a schema with a name. */
export function isNamedSchema(keys: readonly string[]): boolean {
  return keys.length === 3 && keys[0] === "components" && keys[1] === "schemas";
}

function changesDependentRequired({ typeName, sends, receives, before, after }: ChangeInUse): boolean {
  if (typeName !== "DependentRequired") return false;
  return (sends && hasLost(after, before)) || (receives && hasLost(before, after));
}

function changesCondition({ property, before, after, sends, receives }: ChangeInUse): boolean {
  if (property !== "not" && property !== "if") return false;
  return (sends && after !== undefined) || (receives && before !== undefined);
}

function changesContains({ property, before, after, sends, receives }: ChangeInUse): boolean {
  if (property !== "minContains" && property !== "maxContains") return false;
  const isHigher = Number(after ?? Infinity) > Number(before ?? Infinity);
  const isNarrower = isHigher === (property === "minContains");
  return isNarrower ? sends : receives;
}

function changesDiscriminator({ typeName, property, kind, before }: ChangeInUse): boolean {
  if (typeName === "Discriminator") return property === "propertyName";
  return typeName === "DiscriminatorMapping" && kind === "modified" && before !== undefined;
}

function changesEncoding({ typeName, kind, sends }: ChangeInUse): boolean {
  return typeName === "Encoding" && (kind === "modified" || kind === "renamed") && sends;
}

function removesKnownValues({ property, sends, before, after }: ChangeInUse): boolean {
  return property === "x-extensible-enum" && sends && hasLost(extensionList(before), extensionList(after));
}

function changesFlow({ keys, kind, property, before, after }: ChangeInUse): boolean {
  if (keys.at(-2) !== "flows") return false;
  const isOtherAddress = property.endsWith("Url") && before !== undefined;
  return kind === "removed" || isOtherAddress || hasLost(before, after);
}

function changesParameterContent({ keys, typeName, kind }: ChangeInUse): boolean {
  const holder = keys.at(-2) === "$ref" ? keys.slice(0, -2) : keys.slice(0, -1);
  return typeName === "MediaTypesMap" && kind !== "modified" && holder.at(-2) === "parameters";
}

function changesSchema({ keys, typeName, kind, sends, receives }: ChangeInUse): boolean {
  const [last, parent = "", grandparent] = keys.toReversed();
  const isSchemaOfMap = ["patternProperties", "dependentSchemas", "prefixItems"].includes(parent);
  const isSchemaOfBody = last === "schema" && grandparent === "content";
  if (!isSchemaOfMap && !isSchemaOfBody && typeName !== "PatternProperties") return false;
  return (kind === "added" && sends) || (kind === "removed" && receives);
}

function addsRequestBody({ typeName, kind, after }: ChangeInUse): boolean {
  return typeName === "RequestBody" && kind === "added" && isObject(after) && after["required"] === true;
}

function removesRequestProperty({ keys, kind, sends }: ChangeInUse): boolean {
  return keys.at(-2) === "properties" && (kind === "removed" || kind === "renamed") && sends;
}

/** Another success breaks those who expect the bodies of the others; one without others to compare with breaks nobody. */
function addsSuccess({ typeName, kind, receives, place, after, documents: [former, current] }: ChangeInUse): boolean {
  const keys = pointerKeys(place);
  if (typeName !== "Response" || kind !== "added" || !receives || !isSuccess(keys.at(-1))) return false;
  const responses = membersOf(valueAt(former, keys.slice(0, -1)));
  const contents = responses.filter(([status]) => isSuccess(status)).map(([, response]) => contentOf(former, response));
  const own = contentOf(current, after);
  return contents.length > 0 && !contents.some((content) => isDeepStrictEqual(content, own));
}

function removesFailure({ typeName, kind, keys, before }: ChangeInUse): boolean {
  const status = kind === "renamed" ? String(before) : keys.at(-1);
  return typeName === "Response" && kind !== "added" && !isSuccess(status);
}

function isSuccess(status?: string): boolean {
  return status?.startsWith("2") === true;
}

/** The schemas of a response by their media types. */
function contentOf(document: object, response: unknown) {
  const resolved = isReference(response) ? resolve<object>(document, response) : response;
  return mapMembers(valueAt(resolved, ["content"]), (media) => valueAt(media, ["schema"]));
}

function widensFormat(change: ChangeInUse): boolean {
  if (change.property !== "format") return false;
  const { narrow, wide } = widening(change);
  return (narrow === "int32" && wide === "int64") || (narrow === "float" && wide === "double");
}

function widensDivisor(change: ChangeInUse): boolean {
  const { narrow, wide } = widening(change);
  return change.property === "multipleOf" && Number.isInteger(Number(narrow) / Number(wide));
}

/** The narrower and the wider value, if the change is to be harmless: requests may widen, responses may narrow. */
function widening({ sends, receives, before, after }: ChangeInUse) {
  if (sends === receives) return {};
  return sends ? { narrow: before, wide: after } : { narrow: after, wide: before };
}

function hasLost(before: unknown, after: unknown): boolean {
  const left = elementsOf(after);
  return elementsOf(before).some((value) => !left.includes(value));
}
