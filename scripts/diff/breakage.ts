import { isDeepStrictEqual } from "node:util";
import { elementsOf, isObject, mapMembers, membersOf, parseJson, pointerKeys, valueAt } from "../spec/json.ts";
import { isReference, resolve } from "../spec/openapi.ts";
import type { Direction } from "../spec/schemas.ts";
import type { ToolChange } from "./runRedoclyDiff.ts";

/** The place of a schema with a name. */
export const namedSchema = /^#?\/components\/schemas\/[^/]+$/;

/** A change with what most rules ask for. */
interface Facts extends ToolChange {
  /** Consumers send values of the place, or receive them. */
  readonly sends: boolean;
  readonly receives: boolean;
  /** The documents that are compared. */
  readonly documents: readonly [before: object, after: object];
}

type Rules = Readonly<Record<string, (change: Facts) => boolean>>;

/** Changes that break consumers, although `redocly diff` doesn't say so. The place decides for whom. */
const breaking: Rules = {
  "default-changed": ({ property, sends, before }) => property === "default" && sends && before !== undefined,
  "dependent-required": ({ typeName, sends, receives, before, after }) =>
    typeName === "DependentRequired" && ((sends && hasLost(after, before)) || (receives && hasLost(before, after))),
  "condition-changed": ({ property, before, after, sends, receives }) =>
    /^(?:not|if)$/.test(property) && ((sends && after !== undefined) || (receives && before !== undefined)),
  "contains-changed": ({ property, before, after, sends, receives }) => {
    const difference = Number(after ?? Infinity) - Number(before ?? Infinity);
    if (!/^(?:min|max)Contains$/.test(property)) return false;
    return difference > 0 === (property === "minContains") ? sends : receives;
  },
  "discriminator-changed": ({ typeName, property, kind, before }) =>
    (typeName === "Discriminator" && property === "propertyName") ||
    (typeName === "DiscriminatorMapping" && kind === "modified" && before !== undefined),
  "encoding-changed": ({ typeName, kind, sends }) => typeName === "Encoding" && kind === "modified" && sends,
  "known-values-removed": ({ property, sends, before, after }) =>
    property === "x-extensible-enum" && sends && hasLost(parseJson(String(before)), parseJson(String(after))),
  "item-position-changed": ({ property }) => property === "$anchor",
  // Names of schemas are names of types.
  "name-changed": ({ path, kind }) => namedSchema.test(path) && kind !== "added",
  "oauth-flow-changed": ({ path, kind, property, before, after }) =>
    /\/flows\/[^/]+$/.test(path) &&
    (kind === "removed" || (property.endsWith("Url") && before !== undefined) || hasLost(before, after)),
  "pagination-changed": ({ property, before }) => property === "x-pagination" && before !== undefined,
  "parameter-content-changed": ({ path, kind }) =>
    /\/parameters\/\d+(?:\/\$ref)?\/content$/.test(path) && kind !== "modified",
  "schema-changed": ({ path, kind, sends, receives }) =>
    /\/(?:patternProperties(?:\/[^/]+)?|(?:dependentSchemas|prefixItems)\/[^/]+|content\/[^/]+\/schema)$/.test(path) &&
    ((kind === "added" && sends) || (kind === "removed" && receives)),
  "request-read-only": ({ property, after }) => property === "readOnly" && after === true,
  "response-write-only": ({ property, after }) => property === "writeOnly" && after === true,
  "request-body-added": ({ typeName, kind, after }) =>
    typeName === "RequestBody" && kind === "added" && isObject(after) && after["required"] === true,
  "request-property-removed": ({ path, kind, property, sends }) =>
    /\/properties\/[^/]+$/.test(path) && (kind === "removed" || property === "key") && sends,
  "response-success-added": ({ typeName, kind, receives, place, after: added, documents: [before, after] }) => {
    const [status = "", ...responses] = pointerKeys(place).toReversed();
    if (typeName !== "Response" || kind !== "added" || !receives || !status.startsWith("2")) return false;
    const old = membersOf(valueAt(before, responses.toReversed())).filter(([name]) => name.startsWith("2"));
    const contents = old.map(([, response]) => contentOf(before, response));
    const own = contentOf(after, added);
    return contents.length > 0 && !contents.some((content) => isDeepStrictEqual(content, own));
  },
  "response-header-optional": ({ typeName, property, receives, after }) =>
    typeName === "Header" && property === "required" && receives && after !== true,
};

/** Changes that `redocly diff` takes for breaking, although no consumer feels them. */
const harmless: Rules = {
  "failure removed": ({ typeName, kind, property, path, before }) =>
    typeName === "Response" && !/\/2[^/]*$/.test(property === "key" ? `/${String(before)}` : path) && kind !== "added",
  "allowed now": ({ property, after }) => /^allow(?:EmptyValue|Reserved)$/.test(property) && after === true,
  "open response": ({ property, before }) =>
    /^(?:additional|unevaluated)Properties$/.test(property) && before === false,
  "wider format": (change) =>
    change.property === "format" && /^(?:int32,int64|float,double)$/.test(widening(change).join()),
  divisor: (change) => {
    const [narrow, wide] = widening(change);
    return change.property === "multipleOf" && Number.isInteger(Number(narrow) / Number(wide));
  },
};

/** The rule by which a change breaks consumers, with the message of `redocly diff` if it is one of its rules. */
export function findBreakage(
  change: ToolChange,
  directions: readonly Direction[],
  ...documents: Facts["documents"]
): { readonly ruleId: string; readonly message?: string } | undefined {
  const [sends, receives] = [directions.includes("request"), directions.includes("response")];
  const facts = { ...change, sends, receives, documents };
  const test = (rules: Rules) => Object.keys(rules).find((name) => rules[name]?.(facts));
  const [verdict] = change.verdicts;
  if (verdict !== undefined && test(harmless) === undefined) return verdict;
  const ruleId = test(breaking);
  return ruleId === undefined ? undefined : { ruleId };
}

/** The schemas of a response by their media types. */
function contentOf(document: object, response: unknown) {
  const resolved = isReference(response) ? resolve<object>(document, response) : response;
  return mapMembers(valueAt(resolved, ["content"]), (media) => valueAt(media, ["schema"]));
}

/** The narrower and the wider value, if the change is to be harmless: requests may widen, responses may narrow. */
function widening({ sends, receives, before, after }: Facts): readonly unknown[] {
  if (sends === receives) return [];
  return sends ? [before, after] : [after, before];
}

function hasLost(before: unknown, after: unknown): boolean {
  return elementsOf(before).some((value) => !elementsOf(after).includes(value));
}
