/* The share of the contract that exchanges have covered. */
import type { Operation } from "../contract/generation.ts";
import { getOrCreate } from "../values/collections.ts";
import { isObject, jsonPointer } from "../values/json.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { responseOf } from "../spec/openapi.ts";
import { applicableSchemas, isVisible, memberSchemas } from "../spec/schemas.ts";

/** The covered share of one kind of element of the contract. */
export interface Share {
  readonly noun: string;
  readonly plural: string;
  readonly seen: number;
  readonly all: number;
}

interface SeenResponse {
  readonly status: number;
  /** True if it succeeded and returned content that could be checked. */
  readonly isTested: boolean;
  readonly fields: Iterable<string>;
}

/** The elements of an operation, and those that were seen. */
interface Seen {
  isTested: boolean;
  readonly statuses: Set<string>;
  readonly fields: Set<string>;
}

/** Makes functions that count the coverage of some operations. */
export function createCoverage(operations: ReadonlySet<Operation>) {
  const seen = new Map<Operation, Seen>();
  const seenOf = (operation: Operation) =>
    getOrCreate(seen, operation, () => ({ isTested: false, statuses: new Set<string>(), fields: new Set<string>() }));
  return {
    /** Counts a response. `fields`: JSON Pointers to the fields in its body. */
    add: (operation: Operation, { status, isTested, fields }: SeenResponse) => {
      const shown = seenOf(operation);
      shown.isTested ||= isTested;
      const response = responseOf(operation.responses, status);
      if (response !== undefined) shown.statuses.add(response.status);
      for (const field of fields) shown.fields.add(field);
    },
    /** The shares of tested operations, of listed statuses, and of response fields. */
    shares: (): readonly [operations: Share, statuses: Share, fields: Share] => {
      const tested = { noun: "operation", plural: "operations", seen: 0, all: operations.size };
      const statuses = { noun: "listed status", plural: "listed statuses", seen: 0, all: 0 };
      const fields = { noun: "response field", plural: "response fields", seen: 0, all: 0 };
      for (const operation of operations) {
        const shown = seenOf(operation);
        const listed = fieldsOf(operation);
        if (shown.isTested) tested.seen += 1;
        statuses.seen += shown.statuses.size;
        statuses.all += operation.responses.length;
        fields.seen += listed.filter((field) => shown.fields.has(field)).length;
        fields.all += listed.length;
      }
      return [tested, statuses, fields];
    },
  };
}

/** Describes the shares: `12 of 25 operations (48%), …`. */
export function describeShares(shares: readonly Share[]): string {
  const parts = shares.map((share) => {
    const { seen, all, noun, plural } = share;
    return `${seen} of ${all} ${all === 1 ? noun : plural} (${percentOf(share)}%)`;
  });
  return `Seen: ${parts.join(", ")}`;
}

/** In percent, rounded down, so that 100 means all. */
export function percentOf({ seen, all }: Share): number {
  return all === 0 ? 100 : Math.floor((100 * seen) / all);
}

/** The fields of all responses of an operation: JSON Pointers, with `*` for the items of lists. */
function fieldsOf({ document, responses }: Operation): readonly string[] {
  const fields = new Set<string>();
  const contents = responses.flatMap(({ content }) => content.filter(({ mediaType }) => isJson(mediaType)));
  const visit = (schemas: ReturnType<typeof applicableSchemas>, path: string, around: readonly unknown[]) => {
    // Recursive schemas would never end.
    const [first] = schemas;
    if (first === undefined || around.includes(first)) return;
    const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)));
    for (const name of names) {
      const inner = memberSchemas(document, schemas, name);
      if (!inner.every((schema) => isVisible(document, schema, "response"))) continue;
      const at = path + jsonPointer([name]);
      fields.add(at);
      visit(inner, at, [...around, first]);
    }
    if (schemas.some(({ items }) => isObject(items)))
      visit(memberSchemas(document, schemas, "0"), `${path}/*`, [...around, first]);
  };
  for (const { schema } of contents) visit(applicableSchemas(document, schema), "", []);
  return [...fields];
}
