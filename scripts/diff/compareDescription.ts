import type { OpenApiDocument } from "../spec/openapi.ts";
import { valueAt } from "../values/json.ts";
import { compareServers, serversOfDocument } from "./compareServers.ts";
import { compareNotes, compareTexts, createComparison, tell, type Comparison } from "./comparison.ts";
import { childrenOf, fieldOf, isBoth, memberOf, pairMaps, placeAt, type BothPlaces, type Place } from "./places.ts";

/**
 * Compares two documents' descriptions of the API as a whole. Ignores the version, which follows from the
 * changes. `isServed`: whether an operation has the servers of the document in both.
 */
export function compareDescription(before: OpenApiDocument, after: OpenApiDocument, isServed: boolean): Comparison {
  const comparison = createComparison();
  const both = { before: placeAt(before, []), after: placeAt(after, []) };
  const info = fieldOf(both, "info");
  if (isBoth(info)) {
    // Its operations inherit its lifecycle.
    compareNotes(comparison, info, ["deprecated"]);
    compareTexts(comparison, info, ["contact", "license", "termsOfService"]);
  }
  compareTexts(comparison, both, ["externalDocs"]);
  if (isServed) {
    const servers = { before: serversOfDocument(before), after: serversOfDocument(after) };
    compareServers(comparison, servers, servers.after);
  }
  compareTags(comparison, both);
  return comparison;
}

function compareTags(to: Comparison, { before, after }: BothPlaces): void {
  const nameOfTag = (tag: Place) => String(valueAt(tag.value, ["name"]));
  const byName = (document: Place) =>
    new Map(childrenOf(memberOf(document, "tags")).map((tag) => [nameOfTag(tag), tag] as const));
  for (const tag of pairMaps(byName(before), byName(after)).values()) {
    if (isBoth(tag)) compareNotes(to, tag);
    else if (tag.after !== undefined) tell(to, { code: "tag-added", facts: {}, place: tag.after });
    else if (tag.before !== undefined) tell(to, { code: "tag-removed", facts: {}, place: tag.before });
  }
}
