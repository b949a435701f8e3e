import type { OpenApiDocument } from "../spec/openapi.ts";
import { valueAt } from "../values/json.ts";
import { compareNotes, extentOfValues, fieldChange, tell, type Comparison } from "./comparison.ts";
import {
  childOf,
  childrenOf,
  fieldOf,
  isBoth,
  pairMaps,
  pairMembers,
  placeAt,
  type BothPlaces,
  type Pair,
  type Place,
} from "./places.ts";

/** The servers of a document. Without any, there is one with the URL `/` (OpenAPI 3.1.1, section 4.8.1.1). */
export function serversOfDocument(document: OpenApiDocument): Place {
  const servers = placeAt(document, ["servers"]);
  return childrenOf(servers).length === 0 ? { ...servers, value: [{ url: "/" }] } : servers;
}

/** Compares two lists of servers, paired by URL. `subject` is the object that they belong to. */
export function compareServers(to: Comparison, { before, after }: Pair, subject: Place): void {
  const byUrl = (list: Place | undefined) => new Map(childrenOf(list).map((server) => [urlOf(server), server]));
  const servers = [...pairMaps(byUrl(before), byUrl(after)).values()];
  const [removed, ...others] = servers.filter((server) => server.after === undefined);
  const [added, ...more] = servers.filter((server) => server.before === undefined);
  for (const server of servers) if (isBoth(server)) compareServer(to, server);
  const [old, current] = [removed?.before, added?.after];
  if (old !== undefined && current !== undefined && others.length + more.length === 0) {
    const facts = { before: urlOf(old), after: urlOf(current) };
    tell(to, { code: "server-replaced", facts, place: childOf(current, "url") ?? current, subject });
    return;
  }
  for (const { before: one } of removed === undefined ? [] : [removed, ...others]) {
    if (one !== undefined) tell(to, { code: "server-removed", facts: { name: urlOf(one) }, place: one, subject });
  }
  for (const { after: one } of added === undefined ? [] : [added, ...more]) {
    if (one !== undefined) tell(to, { code: "server-added", facts: { name: urlOf(one) }, place: one, subject });
  }
}

function urlOf(server: Place): string {
  return String(valueAt(server.value, ["url"]));
}

function compareServer(to: Comparison, pair: BothPlaces): void {
  compareNotes(to, pair);
  for (const [name, variable] of pairMembers(fieldOf(pair, "variables"))) {
    if (!isBoth(variable)) {
      const one = variable.after ?? variable.before ?? pair.after;
      tell(to, {
        code: "uncompared",
        facts: { field: `variables.${name}` },
        place: one,
        subject: pair.after,
        direction: "request",
      });
      continue;
    }
    compareNotes(to, variable);
    const told = { place: variable.after, subject: pair.after };
    const values = fieldChange(variable, "enum");
    const [old, current] = [values.before, values.after].map((list) => (Array.isArray(list) ? list : undefined));
    const extent = extentOfValues(old, current);
    if (extent !== "same") {
      const facts = { name, ...values };
      tell(to, { ...told, code: "server-variable-values-changed", facts, direction: "request", extent });
    }
    const preset = fieldChange(variable, "default");
    if (preset.before !== preset.after) {
      tell(to, { ...told, code: "server-variable-default-changed", facts: { name, ...preset } });
    }
  }
}
