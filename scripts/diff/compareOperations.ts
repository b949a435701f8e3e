import type { Direction } from "../spec/schemas.ts";
import { methods } from "../spec/openapi.ts";
import { mapMembers } from "../spec/json.ts";
import { compareRequestBody, compareResponses } from "./compareBodies.ts";
import { compareNotes, fieldChange, isSameValue, tell, tellField, type Comparison } from "./comparison.ts";
import { compareParameters, type OperationPlace } from "./compareParameters.ts";
import { compareRequirements } from "./compareSecurity.ts";
import { compareServers, serversOfDocument } from "./compareServers.ts";
import {
  childOf,
  fieldOf,
  fieldValues,
  followBoth,
  isBoth,
  memberOf,
  pairMembers,
  placeAt,
  type BothPlaces,
  type Place,
} from "./places.ts";

/** The context in which operations are compared. */
export interface OperationContext {
  /** The new names of security schemes, by their old names. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The sender of the requests: `request` for consumers, `response` for the service. */
  readonly direction: Direction;
}

/** Compares two states of an operation, with everything that it inherits and refers to. */
export function compareOperations(
  to: Comparison,
  before: OperationPlace,
  after: OperationPlace,
  { renamed, direction }: OperationContext,
): void {
  const both = { before: before.operation, after: after.operation };
  const answer = direction === "request" ? "response" : "request";
  compareNotes(to, both);
  const field = "operationId";
  const identifiers = fieldChange(both, field);
  if (identifiers.before !== identifiers.after)
    tellField(to, both, field, { code: "operation-id-changed", facts: identifiers });
  const renamedParameters = compareParameters(to, before, after, direction);
  comparePagination(to, both, renamedParameters);
  compareRequestBody(to, fieldOf(both, "requestBody"), direction);
  compareResponses(to, both, answer);
  compareRequirements(to, securityOf(before), securityOf(after), renamed);
  if (!inheritsServers(before) || !inheritsServers(after)) {
    const [old, current] = [before, after].map((one) => serversOf(one) ?? serversOfDocument(one.item.document));
    compareServers(to, { before: old, after: current }, after.operation);
  }
  compareCallbacks(to, before, after, { renamed, direction: answer });
}

/** Compares the names of the pagination parameters, after renaming. */
function comparePagination(to: Comparison, both: BothPlaces, renamed: ReadonlyMap<string, string>): void {
  const field = "x-pagination";
  const [old, current] = fieldValues(both, field);
  const former = mapMembers(old, (name) => renamed.get(String(name)) ?? name);
  if (isSameValue(old === undefined ? undefined : former, current)) return;
  tellField(to, both, field, { code: "pagination-changed", facts: fieldChange(both, field) });
}

function securityOf({ item, operation }: OperationPlace) {
  return { place: childOf(operation, "security") ?? childOf(placeAt(item.document, []), "security"), operation };
}

/** Returns whether the servers of an operation are those of its document. */
export function inheritsServers(operation: OperationPlace): boolean {
  return serversOf(operation) === undefined;
}

/** The servers of an operation, or else of its path item. */
function serversOf({ item, operation }: OperationPlace): Place | undefined {
  return childOf(operation, "servers") ?? childOf(item, "servers");
}

/** Compares the requests that the service sends while it handles an operation. */
function compareCallbacks(
  to: Comparison,
  before: OperationPlace,
  after: OperationPlace,
  context: OperationContext,
): void {
  const callbacks = pairMembers(fieldOf({ before: before.operation, after: after.operation }, "callbacks"));
  for (const [name, callback] of callbacks) {
    const { before: old, after: current } = callback;
    if (isBoth(callback)) {
      for (const [url, item] of pairMembers(followBoth(callback))) {
        if (isBoth(item)) compareItems(to, url, followBoth(item), context);
        else if (item.after !== undefined) {
          tell(to, { code: "callback-url-added", facts: { name, url }, place: item.after });
        } else if (item.before !== undefined) {
          tell(to, { code: "callback-url-removed", facts: { name, url }, place: item.before });
        }
      }
    } else if (current !== undefined) tell(to, { code: "callback-added", facts: { name }, place: current });
    else if (old !== undefined) tell(to, { code: "callback-removed", facts: { name }, place: old });
  }
}

/** Compares the methods of two path items. */
function compareItems(to: Comparison, path: string, { before, after }: BothPlaces, context: OperationContext): void {
  for (const method of methods) {
    const [old, current] = [memberOf(before, method), memberOf(after, method)];
    if (old !== undefined && current !== undefined) {
      compareOperations(to, { path, item: before, operation: old }, { path, item: after, operation: current }, context);
    } else if (old !== undefined || current !== undefined) {
      const code = old === undefined ? "callback-method-added" : "callback-method-removed";
      tell(to, { code, facts: { name: method.toUpperCase(), url: path }, place: current ?? old ?? after });
    }
  }
}
