import { refusalOf, type Refusal } from "../../exchange/refusal.ts";
import { maskAndCut } from "../../exchange/secrets.ts";
import type { RequestEntry, RequestFilter } from "../mockTypes.ts";
import type { ServedContract } from "../content/servedContract.ts";
import { suggestNames } from "../../values/similarName.ts";

type Name = Exclude<keyof RequestFilter, "session">;

/** The possible values of each filter, or the form of them. No request has another value, which a test would accept. */
const filters: Readonly<Record<Name, (contract: ServedContract) => readonly string[] | RegExp>> = {
  operation: ({ operations }) => operations.flatMap(({ operationId }) => operationId ?? []),
  generation: ({ generations }) => generations.map(({ name }) => name),
  method: () => /^[A-Z]+$/,
  status: () => /^\d{3}$/,
  after: () => /^\d+$/,
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
        `The requests cannot be filtered by ${maskAndCut(name)}, only by ${Object.keys(filters).join(", ")}.`,
      );
    const possible = filters[name](contract);
    const known = possible instanceof RegExp ? [] : possible;
    const wrong = values.find((one) => (possible instanceof RegExp ? !possible.test(one) : !known.includes(one)));
    if (wrong !== undefined)
      return refuseFilter(
        name,
        describeValues(name, values, known.length > 0 ? `: ${suggestNames(wrong, known)}` : "."),
      );
    read.push({ name, values });
  }
  return (entry) =>
    read.every(({ name, values }) =>
      name === "after" ? values.every((id) => entry.id > Number(id)) : values.includes(String(entry[name])),
    );
}

function describeValues(name: string, values: readonly string[], end: string): string {
  const quoted = values.map((value) => JSON.stringify(maskAndCut(value))).join(" or ");
  return name === "after"
    ? `after must be the id of a request, not ${quoted}.`
    : `No request has ${quoted} as its ${name}${end}`;
}

function refuseFilter(name: string, message: string): Refusal {
  return refusalOf(422, { code: "query", in: "query", name: maskAndCut(name), message });
}
