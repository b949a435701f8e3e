import { isDigits } from "../../contract/text.ts";
import { refusalOf, type Refusal } from "../../exchange/refusal.ts";
import { shorten } from "../../exchange/secrets.ts";
import type { RequestEntry } from "../mockTypes.ts";
import type { ServedContract } from "./servedContract.ts";

/** Valid values of filters. An invalid one would find nothing, and a test would take that for an answer. */
const filters = {
  operation: (value: string, { operations }: ServedContract) =>
    operations.some(({ operationId }) => operationId === value),
  method: (value: string) => /^[A-Z]+$/.test(value),
  status: (value: string) => value.length === 3 && isDigits(value),
};

const isFilter = (name: string): name is keyof typeof filters => Object.hasOwn(filters, name);

/** Creates a function that returns whether an entry has one of the values of each filter. Returns a refusal for a mistake. */
export function readRequestFilter(
  query: Readonly<Record<string, string | readonly string[]>>,
  contract: ServedContract,
): ((entry: RequestEntry) => boolean) | Refusal {
  const asked: { readonly name: keyof typeof filters; readonly values: readonly string[] }[] = [];
  for (const [name, value] of Object.entries(query)) {
    const values = [value].flat();
    if (!isFilter(name) || !values.every((one) => filters[name](one, contract))) return refuseFilter(name, values);
    asked.push({ name, values });
  }
  return (entry) => asked.every(({ name, values }) => values.includes(String(entry[name])));
}

function refuseFilter(name: string, values: readonly string[]): Refusal {
  const quoted = values.map((value) => JSON.stringify(shorten(value))).join(" or ");
  const message = isFilter(name)
    ? `No request has ${quoted} as its ${name}.`
    : `The requests cannot be filtered by ${shorten(name)}, only by ${Object.keys(filters).join(", ")}.`;
  return refusalOf(422, { in: "query", name: shorten(name), message });
}
