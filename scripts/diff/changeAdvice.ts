import type { Advice, ChangeKind, RatedDifference } from "./changes.ts";

const nothing: Advice = { http: "Nothing.", types: "Nothing." };
const useNewName: Advice = { http: "Nothing.", types: "Use the new name: the old one no longer compiles." };
const loseDefault: Advice = { http: "Send the value that you need, if you rely on the default.", types: "Nothing." };
const sendCredentials: Advice = {
  http: "Send credentials that are now accepted.",
  types: "Pass them to the client.",
};
const sendIt: Advice = {
  http: "Send it before the service changes.",
  types: "Add it to the calls that no longer compile.",
};
const sendAccepted: Advice = {
  http: "Send only what is still accepted, before the service changes.",
  types: "Correct the calls that no longer compile.",
};

/** Advice on changes that aren't breaking. */
const harmless: Readonly<Record<ChangeKind, Advice>> = {
  added: { http: "Nothing; it can be used.", types: "Nothing; it can be used." },
  deprecated: { http: "Plan to stop using it.", types: "Plan to stop using it: editors strike it through." },
  removed: nothing,
  changed: nothing,
  clarified: nothing,
  reworded: nothing,
};

/** Advice on breaking changes, by rule. For other rules, it depends on the change. */
const breaking: Readonly<Record<string, Advice>> = {
  "default-changed": loseDefault,
  "known-values-removed": {
    http: "Send only what is still known, before the service changes.",
    types: "Nothing: types allow other values too.",
  },
  "media-type-removed": {
    http: "Use another media type before the service changes.",
    types: "Use another media type.",
  },
  ...{ name: useNewName, "name-changed": useNewName, "operation-id-changed": useNewName },
  "parameter-became-required": sendIt,
  "request-body-added": sendIt,
  "request-body-became-required": sendIt,
  "required-properties-added": sendIt,
  "security-requirement-changed": sendCredentials,
  "security-scheme-changed": sendCredentials,
  "server-removed": { http: "Send requests to another address.", types: "Change the client's `baseUrl`." },
  "sunset-earlier": { http: "Stop using it before the new day.", types: "Nothing, until it is removed." },
};

/** Rules for something that was removed or replaced. */
const removals = new Set([
  ...["generation-removed", "path-removed", "operation-removed", "parameter-removed", "request-body-removed"],
  ...["response-removed", "response-header-removed", "property-removed", "request-property-removed"],
]);

const replaceIt: Advice = {
  http: "Use the new one when the service changes.",
  types: "Use the new one: the old one no longer compiles.",
};
const stopUsingIt: Advice = {
  http: "Stop using it before the service changes.",
  types: "Remove it from the code, which no longer compiles.",
};
const expectOthers: Advice = {
  http: "Be ready for the new values, or for none, before the service changes.",
  types: "Correct the code that reads the response and no longer compiles.",
};

/** Keywords whose limits types can't express. */
const untypedLimits = new Set([
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "uniqueItems"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
]);

/** Returns the advice on a change, by the rule that it breaks, or else by its kind. */
export function adviseOn({ rule, kind, direction, code, field = "", isGone = false }: RatedDifference): Advice {
  // Only types have the names of schemas.
  if (code === "schema-removed" || code === "schema-renamed") return useNewName;
  if (rule === undefined) return field === "default" ? loseDefault : harmless[kind];
  const advice = breaking[rule];
  if (advice !== undefined) return advice;
  if (rule === "pagination-changed" && !isGone) return useNewName;
  if (rule === "pagination-changed")
    return { ...nothing, types: "Request each page yourself, because the client no longer does." };
  if (removals.has(rule)) return kind === "changed" ? replaceIt : stopUsingIt;
  if (direction === "response") return expectOthers;
  const isLimit = rule === "schema-constraint-changed" && untypedLimits.has(field);
  return isLimit && !isGone ? { ...sendAccepted, types: "Nothing: the types don't express it." } : sendAccepted;
}
