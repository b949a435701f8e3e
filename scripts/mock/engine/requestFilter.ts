import { isDigits } from "../../values/text.ts";
import { refusalOf, type Refusal } from "../../exchange/refusal.ts";
import { shorten } from "../../exchange/secrets.ts";
import type { RequestEntry, RequestFilter } from "../mockTypes.ts";
import type { ServedContract } from "../content/servedContract.ts";
import { suggestNames } from "../../values/similarName.ts";

type Name = Exclude<keyof RequestFilter, "session">;

/** The possible values of a filter, or a check of them. No request has another value, which a test would accept. */
type PossibleValues = readonly string[] | ((value: string) => boolean);

const isMethod = (value: string) => /^[A-Z]+$/.test(value);
const isStatus = (value: string) => value.length === 3 && isDigits(value);

const filters: Readonly<Record<Name, (contract: ServedContract) => PossibleValues>> = {
  operation: ({ operations }) => operations.flatMap(({ operationId }) => operationId ?? []),
  generation: ({ generations }) => generations.map(({ name }) => name),
  method: () => isMethod,
  status: () => isStatus,
  after: () => isDigits,
};

const isFilter = (name: string): name is Name => Object.hasOwn(filters, name);

/**
 * Reads the filters of a list of requests, each with one or several values. Returns a function that tells whether an
 * entry has one of the values of each filter.
 */
export function readFilters(
  given: Readonly<Record<string, string | readonly string[]>>,
  contract: ServedContract,
): ((entry: RequestEntry) => boolean) | Refusal {
  const read: { readonly name: Name; readonly values: readonly string[] }[] = [];
  for (const [name, value] of Object.entries(given)) {
    const values = [value].flat();
    if (!isFilter(name))
      return refuseFilter(
        name,
        `The requests cannot be filtered by ${shorten(name)}, only by ${Object.keys(filters).join(", ")}.`,
      );
    const possible = filters[name](contract);
    const isPossible = (one: string) => (typeof possible === "function" ? possible(one) : possible.includes(one));
    if (!values.every(isPossible)) return refuseFilter(name, describeValues(name, values, possible));
    read.push({ name, values });
  }
  return (entry) =>
    read.every(({ name, values }) =>
      name === "after" ? values.every((id) => entry.id > Number(id)) : values.includes(String(entry[name])),
    );
}

function describeValues(name: string, values: readonly string[], possible: unknown): string {
  const quoted = values.map((value) => JSON.stringify(shorten(value))).join(" or ");
  const known = Array.isArray(possible) ? possible.map(String) : [];
  const [wrong = ""] = values.filter((value) => !known.includes(value));
  if (name === "after") return `after must be the id of a request, not ${quoted}.`;
  return `No request has ${quoted} as its ${name}${known.length > 0 ? `: ${suggestNames(wrong, known)}` : "."}`;
}

function refuseFilter(name: string, message: string): Refusal {
  return refusalOf(422, { code: "query", in: "query", name: shorten(name), message });
}
