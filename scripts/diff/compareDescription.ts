import type { OpenApiDocument } from "../spec/openapi.ts";
import { valueAt } from "../spec/json.ts";
import { proseText } from "./changeText.ts";
import { compareServers } from "./compareServers.ts";
import { compareNotes, createComparison, differingFields, explain, type Comparison } from "./comparison.ts";
import {
  childOf,
  childrenOf,
  fieldOf,
  fieldValues,
  isBoth,
  memberOf,
  pairMaps,
  placeAt,
  type BothPlaces,
  type Place,
} from "./places.ts";

/**
 * Compares two documents' descriptions of the API as a whole. Ignores the version, which follows from the
 * changes.
 */
export function compareDescription(before: OpenApiDocument, after: OpenApiDocument): Comparison {
  const comparison = createComparison();
  const both = { before: placeAt(before, []), after: placeAt(after, []) };
  const info = fieldOf(both, "info");
  if (isBoth(info)) {
    compareNotes(comparison, info);
    explainFields(comparison, info, ["contact", "license", "termsOfService"]);
  }
  explainFields(comparison, both, ["externalDocs"]);
  compareServers(comparison, fieldOf(both, "servers"), memberOf(both.after, "servers") ?? both.after);
  compareTags(comparison, both);
  return comparison;
}

function explainFields(to: Comparison, both: BothPlaces, fields: readonly string[]): void {
  for (const field of differingFields(both, fields)) {
    const place = childOf(both.after, field) ?? both.after;
    const [old, current] = fieldValues(both, field);
    explain(to, place, both.after, proseText(field, old, current));
  }
}

function compareTags(to: Comparison, { before, after }: BothPlaces): void {
  const nameOfTag = (tag: Place) => String(valueAt(tag.value, ["name"]));
  const byName = (document: Place) =>
    new Map(childrenOf(memberOf(document, "tags")).map((tag) => [nameOfTag(tag), tag] as const));
  for (const tag of pairMaps(byName(before), byName(after)).values()) {
    if (isBoth(tag)) compareNotes(to, tag);
    else if (tag.after !== undefined) explain(to, tag.after, tag.after, "The tag was added.");
    else if (tag.before !== undefined) explain(to, tag.before, tag.before, "The tag was removed.");
  }
}
