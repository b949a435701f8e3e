/* The share of the contract that exchanges have covered. */
import type { Operation } from "../contract/generation.ts";
import { countOf, recall } from "../contract/text.ts";
import { isObject, jsonPointer } from "../spec/json.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { responseOf } from "../spec/openapi.ts";
import { applicableSchemas, isVisible, memberSchemas } from "../spec/schemas.ts";

/** The covered share of one kind of element of the contract. */
export interface Share {
  readonly noun: string;
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
    recall(seen, operation, () => ({ isTested: false, statuses: new Set<string>(), fields: new Set<string>() }));
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
    shares: (): readonly Share[] => {
      const all = [...operations].map((operation) => ({
        shown: seenOf(operation),
        fields: fieldsOf(operation),
        operation,
      }));
      const sum = (count: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + count(one), 0);
      return [
        { noun: "operation", seen: sum(({ shown }) => Number(shown.isTested)), all: all.length },
        {
          noun: "listed status",
          seen: sum(({ shown }) => shown.statuses.size),
          all: sum((one) => one.operation.responses.length),
        },
        {
          noun: "response field",
          seen: sum(({ shown, fields }) => fields.filter((field) => shown.fields.has(field)).length),
          all: sum(({ fields }) => fields.length),
        },
      ];
    },
  };
}

/** Describes the shares: `12 of 25 operations (48%), …`. */
export function describeShares(shares: readonly Share[]): string {
  const parts = shares.map((share) => `${share.seen} of ${pluralOf(share)} (${percentOf(share)}%)`);
  return `Seen: ${parts.join(", ")}`;
}

function pluralOf({ all, noun }: Share): string {
  return noun.endsWith("s") && all !== 1 ? `${all} ${noun}es` : countOf(all, noun);
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
