import { mask } from "../exchange/secrets.ts";
import { lastKey, parseJson, pointerKeys } from "../values/json.ts";
import { isStatusRange } from "../spec/statusKeys.ts";
import type { Observation } from "../exchange/observation.ts";
import { mergeShapes } from "../exchange/shapes.ts";
import { memberLines, schemaLines, yamlScalar } from "./shapeYaml.ts";

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
    return texts.length === 1
      ? propose(
          "instead",
          texts.map((text) => `"${text}":`),
        )
      : undefined;
  if (kind === "unlisted" && place.endsWith("/x-extensible-enum"))
    return propose(
      "below",
      texts.flatMap(scalarOf).map((text) => `- ${text}`),
    );
  const shapes = observations.flatMap(({ shape }) => shape ?? []);
  if (shapes.length === 0) return undefined;
  const shape = shapes.reduce(mergeShapes);
  // A body with a schema needs an example.
  const example = [
    "examples:",
    "  invented:",
    "    summary: A response in the form that was seen",
    ...memberLines("value", shape).map((line) => `    ${line}`),
  ];
  const isBody = pointerKeys(place).at(-3) === "content";
  const lines = [...schemaLines(lastKey(place), shape), ...(isBody ? example : [])];
  return propose(kind === "unlisted" ? "below" : "instead", lines.some((line) => line.includes(mask)) ? [] : lines);
}

function propose(where: Proposal["where"], lines: readonly string[]): Proposal | undefined {
  return lines.length === 0 ? undefined : { where, lines };
}

function isWhole(text: string): boolean {
  return !text.includes(mask) && !text.includes("…");
}

/** Converts a JSON value to YAML. Empty if only its type is known. */
function scalarOf(text: string): readonly string[] {
  const value = parseJson(text);
  if (value === undefined) return [];
  return [typeof value === "string" ? yamlScalar(value) : text];
}
