import type { OpenApiDocument } from "../spec/openapi.ts";
import {
  compareNotes,
  compareTexts,
  createComparison,
  differingFields,
  fieldChange,
  tell,
  type Comparison,
} from "./comparison.ts";
import {
  childOf,
  childrenBy,
  childrenOf,
  fieldOf,
  isBoth,
  pairMaps,
  pairMembers,
  pairRenamed,
  placeAt,
  textAt,
  type BothPlaces,
  type Pair,
  type Place,
} from "./places.ts";

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

function compareTags(to: Comparison, both: BothPlaces): void {
  const { before, after } = fieldOf(both, "tags");
  const byName = (tags: Place | undefined) => childrenBy(tags, (tag) => textAt(tag, "name"));
  for (const tag of pairMaps(byName(before), byName(after)).values()) {
    if (isBoth(tag)) compareNotes(to, tag);
    else if (tag.after !== undefined) tell(to, { code: "tag-added", facts: {}, place: tag.after });
    else if (tag.before !== undefined) tell(to, { code: "tag-removed", facts: {}, place: tag.before });
  }
}

/** The servers of a document. Without any, there is one with the URL `/` (OpenAPI 3.1.1, section 4.8.1.1). */
export function serversOfDocument(document: OpenApiDocument): Place {
  const servers = placeAt(document, ["servers"]);
  return childrenOf(servers).length === 0 ? { ...servers, value: [{ url: "/" }] } : servers;
}

/** Compares two lists of servers, paired by URL. `subject` is the object that they belong to. */
export function compareServers(to: Comparison, { before, after }: Pair, subject: Place): void {
  const byUrl = (list: Place | undefined) => childrenBy(list, (server) => textAt(server, "url"));
  // A server may only have moved if it's the only one.
  for (const { former, name, ...server } of pairRenamed(byUrl(before), byUrl(after), () => true)) {
    if (isBoth(server) && former === name) compareServer(to, server);
    else if (isBoth(server)) {
      const place = childOf(server.after, "url") ?? server.after;
      tell(to, { code: "server-replaced", facts: { before: former, after: name }, place, subject });
    } else {
      const code = server.after === undefined ? "server-removed" : "server-added";
      tell(to, { code, facts: { name }, place: server.after ?? server.before ?? subject, subject });
    }
  }
}

function compareServer(to: Comparison, pair: BothPlaces): void {
  compareNotes(to, pair);
  for (const [name, variable] of pairMembers(fieldOf(pair, "variables"))) {
    const told = { place: variable.after ?? variable.before ?? pair.after, subject: pair.after };
    if (!isBoth(variable) || differingFields(variable, ["enum"]).length > 0) {
      tell(to, { ...told, code: "uncompared", facts: { field: `variables.${name}` }, direction: "request" });
      continue;
    }
    compareNotes(to, variable);
    if (differingFields(variable, ["default"]).length === 0) continue;
    const facts = { name, ...fieldChange(variable, "default") };
    tell(to, { ...told, code: "server-variable-default-changed", facts });
  }
}
