import { mapMembers } from "../values/json.ts";
import { compareRequestBody, compareResponses } from "./compareBodies.ts";
import {
  compareMeaning,
  compareNotes,
  differingFields,
  fieldChange,
  isSameValue,
  tellField,
  type Comparison,
} from "./comparison.ts";
import { compareParameters, type OperationPlace } from "./compareParameters.ts";
import { compareRequirements, type OperationContext } from "./compareSecurity.ts";
import { compareServers, serversOfDocument } from "./compareDescription.ts";
import { childOf, fieldOf, fieldValues, placeAt, type BothPlaces, type Place } from "./places.ts";

/** Compares two states of an operation, with everything that it inherits and refers to. */
export function compareOperations(
  to: Comparison,
  before: OperationPlace,
  after: OperationPlace,
  context: OperationContext,
): void {
  const { direction } = context;
  const both = { before: before.operation, after: after.operation };
  const answer = direction === "request" ? "response" : "request";
  compareNotes(to, both);
  for (const field of differingFields(both, ["operationId"]))
    tellField(to, both, field, { code: "operation-id-changed", facts: fieldChange(both, field) });
  const renamedParameters = compareParameters(to, before, after, direction);
  comparePagination(to, both, renamedParameters);
  compareRequestBody(to, fieldOf(both, "requestBody"), direction);
  compareResponses(to, both, answer);
  compareRequirements(to, securityOf(before), securityOf(after), context);
  if (!inheritsServers(before) || !inheritsServers(after)) {
    const [old, current] = [before, after].map((one) => serversOf(one) ?? serversOfDocument(one.item.document));
    compareServers(to, { before: old, after: current }, after.operation);
  }
  // Nobody relies on the first callbacks.
  const isFirst = childOf(both.before, "callbacks") === undefined;
  compareMeaning(to, both, "callbacks", { direction: isFirst ? undefined : answer });
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
