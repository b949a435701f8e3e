import { formatYaml } from "../contract/documentText.ts";
import type { Observation } from "../exchange/observation.ts";
import { mask } from "../exchange/secrets.ts";
import { mergeShapes, type Shape } from "../exchange/shapes.ts";
import { isStatusRange } from "../spec/statusKeys.ts";
import { lastKey, parseJson, pointerKeys } from "../values/json.ts";

/** Lines of YAML that would fill a gap, without indentation. */
export interface Proposal {
  /** `below`: add them after the source line. `instead`: replace that line. */
  readonly where: "below" | "instead";
  readonly lines: readonly string[];
}

/**
 * Proposes lines for the sources, based on the observations at one place. `undefined` if there are none, or if received
 * values were masked or truncated.
 */
export function proposalOf(observations: readonly Observation[]): Proposal | undefined {
  const [first] = observations;
  if (first === undefined) return undefined;
  const { kind, place } = first;
  const texts = [...new Set(observations.flatMap(({ received }) => received ?? []))].filter(isWhole);
  const [holder, key = ""] = pointerKeys(place).slice(-2);
  // For several statuses, each would need a separate response.
  if (kind === "gap" && holder === "responses" && isStatusRange(key))
    return propose("instead", texts.length === 1 ? texts.map((text) => `"${text}":`) : []);
  if (kind === "unlisted" && place.endsWith("/x-extensible-enum")) return propose("below", texts.flatMap(itemLines));
  const shapes = observations.flatMap(({ shape }) => shape ?? []);
  if (shapes.length === 0) return undefined;
  const shape = shapes.reduce(mergeShapes);
  // A body with a schema needs an example.
  const invented = { summary: "A response in the form that was seen", value: exampleOf(shape) };
  const isBody = pointerKeys(place).at(-3) === "content";
  const lines = yamlLines({ [lastKey(place)]: schemaOf(shape), ...(isBody && { examples: { invented } }) });
  return propose(kind === "unlisted" ? "below" : "instead", lines.some((line) => line.includes(mask)) ? [] : lines);
}

function propose(where: Proposal["where"], lines: readonly string[]): Proposal | undefined {
  return lines.length === 0 ? undefined : { where, lines };
}

function isWhole(text: string): boolean {
  return !text.includes(mask) && !text.includes("…");
}

/** A JSON value as an item of a list in YAML. Empty if only its type is known. */
function itemLines(text: string): readonly string[] {
  const value = parseJson(text);
  if (value === undefined) return [];
  // All digits of a number stay.
  return typeof value === "string" ? yamlLines([value]) : [`- ${text}`];
}

function yamlLines(value: object): readonly string[] {
  return formatYaml(value, "double").trimEnd().split("\n");
}

function schemaOf({ types, properties, items }: Shape): object {
  const isObject = types.includes("object") && { additionalProperties: true };
  const isArray = types.includes("array") && { items: {} };
  return {
    type: types.length === 1 ? types[0] : types,
    ...(Object.keys(properties).length > 0 ? { properties: ofEach(properties, schemaOf) } : isObject),
    ...(items === undefined ? isArray : { items: schemaOf(items) }),
  };
}

/** An invented value for a shape. Received values may be private. */
function exampleOf({ types: [type = "null"], properties, items }: Shape): unknown {
  if (type === "object") return ofEach(properties, exampleOf);
  if (type === "array") return items === undefined ? [] : [exampleOf(items)];
  return scalars.get(type) ?? null;
}

function ofEach(properties: Shape["properties"], make: (shape: Shape) => unknown): object {
  return Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, make(shape)]));
}

const scalars: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["boolean", true],
  ["integer", 1],
  ["number", 1.5],
  ["string", "example"],
]);
