import type { Direction } from "../spec/schemas.ts";
import { methods } from "../spec/openapi.ts";
import { mapMembers } from "../spec/json.ts";
import { fieldText } from "./changeText.ts";
import { compareRequestBody, compareResponses } from "./compareBodies.ts";
import { compareNotes, isSameValue, tell, tellField, type Comparison } from "./comparison.ts";
import { compareParameters, type OperationPlace } from "./compareParameters.ts";
import { compareRequirements } from "./compareSecurity.ts";
import { compareServers } from "./compareServers.ts";
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
  compareIdentifier(to, before, after);
  const renamedParameters = compareParameters(to, before, after, direction);
  comparePagination(to, both, renamedParameters);
  compareRequestBody(to, fieldOf(both, "requestBody"), direction);
  compareResponses(to, both, answer);
  compareRequirements(to, securityOf(before), securityOf(after), renamed);
  if (serversOf(before) !== undefined || serversOf(after) !== undefined) {
    const [old, current] = [before, after].map(
      (one) => serversOf(one) ?? memberOf(placeAt(one.item.document, []), "servers"),
    );
    compareServers(to, { before: old, after: current }, after.operation);
  }
  compareCallbacks(to, before, after, { renamed, direction: answer });
}

function compareIdentifier(to: Comparison, before: OperationPlace, after: OperationPlace): void {
  const field = "operationId";
  const [old, current] = fieldValues({ before: before.operation, after: after.operation }, field);
  if (old === current) return;
  const isNamed = current === undefined;
  const text = isNamed
    ? `\`operationId\` of operation \`${nameOfOperation(after)}\` was removed.`
    : fieldText(field, old, current);
  const rule = old !== undefined && "operation-id-changed";
  const place = childOf(after.operation, field) ?? after.operation;
  tell(to, { kind: "changed", place, subject: after.operation, text, rule, isNamed, field, isGone: isNamed });
}

/** Compares the names of the pagination parameters, after renaming. */
function comparePagination(to: Comparison, both: BothPlaces, renamed: ReadonlyMap<string, string>): void {
  const field = "x-pagination";
  const [old, current] = fieldValues(both, field);
  const former = mapMembers(old, (name) => renamed.get(String(name)) ?? name);
  if (isSameValue(old === undefined ? undefined : former, current)) return;
  tellField(to, both, field, { rule: old !== undefined && "pagination-changed" });
}

function nameOfOperation({ path, operation: { keys } }: OperationPlace): string {
  return `${(keys.at(-1) ?? "").toUpperCase()} ${path}`;
}

function securityOf({ item, operation }: OperationPlace) {
  return { place: childOf(operation, "security") ?? childOf(placeAt(item.document, []), "security"), operation };
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
          tell(to, { kind: "added", place: item.after, text: `Callback \`${name}\` calls \`${url}\` now.` });
        } else if (item.before !== undefined) {
          const text = `Callback \`${name}\` no longer calls \`${url}\`.`;
          tell(to, { kind: "removed", place: item.before, text, rule: "path-removed" });
        }
      }
    } else if (current !== undefined)
      tell(to, { kind: "added", place: current, text: `Callback \`${name}\` was added.` });
    else if (old !== undefined) {
      tell(to, { kind: "removed", place: old, text: `Callback \`${name}\` was removed.`, rule: "path-removed" });
    }
  }
}

/** Compares the methods of two path items. */
function compareItems(to: Comparison, path: string, { before, after }: BothPlaces, context: OperationContext): void {
  for (const method of methods) {
    const [old, current] = [memberOf(before, method), memberOf(after, method)];
    if (old !== undefined && current !== undefined) {
      compareOperations(to, { path, item: before, operation: old }, { path, item: after, operation: current }, context);
    } else if (old !== undefined || current !== undefined) {
      const kind = old === undefined ? "added" : "removed";
      const text = `\`${method.toUpperCase()}\` to \`${path}\` was ${kind}.`;
      tell(to, { kind, place: current ?? old ?? after, text, rule: old !== undefined && "operation-removed" });
    }
  }
}
