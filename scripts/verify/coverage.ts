/* How much of the contract exchanges have shown. */
import type { Operation } from "../contract/generation.ts";
import { countOf, recall } from "../contract/text.ts";
import { isObject, jsonPointer } from "../spec/json.ts";
import { isJson } from "../spec/mediaTypes.ts";
import { responseOf } from "../spec/openapi.ts";
import { applicableSchemas, isVisible, memberSchemas } from "../spec/schemas.ts";

/** How much was seen of one kind of what the contract has. */
export interface Share {
  readonly noun: string;
  readonly seen: number;
  readonly all: number;
}

interface SeenResponse {
  readonly status: number;
  /** True if it succeeded, and there was something to see. */
  readonly isTested: boolean;
  readonly fields: Iterable<string>;
}

/** What an operation of the contract has, and what was seen of it. */
interface Seen {
  isTested: boolean;
  readonly statuses: Set<string>;
  readonly fields: Set<string>;
}

/** Makes functions that count what exchanges show of some operations. */
export function createCoverage(operations: ReadonlySet<Operation>) {
  const seen = new Map<Operation, Seen>();
  const seenOf = (operation: Operation) =>
    recall(seen, operation, () => ({ isTested: false, statuses: new Set<string>(), fields: new Set<string>() }));
  return {
    /** Counts a response. `fields`: JSON Pointers to what its body had. */
    add: (operation: Operation, { status, isTested, fields }: SeenResponse) => {
      const shown = seenOf(operation);
      shown.isTested ||= isTested;
      const response = responseOf(operation.responses, status);
      if (response !== undefined) shown.statuses.add(response.status);
      for (const field of fields) shown.fields.add(field);
    },
    /** How many operations succeeded with something to see, and how many listed statuses and fields of responses came. */
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

/** Says how much was seen: `12 of 25 operations (48%), …`. */
export function describeShares(shares: readonly Share[]): string {
  const parts = shares.map((share) => `${share.seen} of ${pluralOf(share)} (${percentOf(share)}%)`);
  return `Seen: ${parts.join(", ")}`;
}

function pluralOf({ all, noun }: Share): string {
  return noun.endsWith("s") && all !== 1 ? `${all} ${noun}es` : countOf(all, noun);
}

/** In percent, rounded down: only all of them are 100. */
export function percentOf({ seen, all }: Share): number {
  return all === 0 ? 100 : Math.floor((100 * seen) / all);
}

/** The fields of all responses of an operation: JSON Pointers, with `*` for the items of lists. */
function fieldsOf({ document, responses }: Operation): readonly string[] {
  const fields = new Set<string>();
  const contents = responses.flatMap(({ content }) => content.filter(({ mediaType }) => isJson(mediaType)));
  const visit = (schemas: ReturnType<typeof applicableSchemas>, path: string, around: readonly unknown[]) => {
    // A schema that contains itself would go on.
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
