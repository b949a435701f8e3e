import { isSent, type CheckedOperation } from "../contract/generation.ts";
import type { FoundViolation } from "./requestViolation.ts";
import { createReader, type Carrier } from "./valueReader.ts";
import { missingParameter, parameterViolations } from "./violations.ts";

const places = ["path", "query", "header", "cookie"] as const;

/**
 * The parameters of a request by place, as they were sent. Header fields are by lower-case name. Places that are
 * left out aren't checked.
 */
export type SentParameters = Readonly<Partial<Record<(typeof places)[number], Carrier>>>;

/** The parameters of a request, and their violations. */
export interface CheckedParameters {
  /** The parsed values by place, under the names in the contract. A missing parameter has none. */
  readonly values: Readonly<Record<(typeof places)[number], Readonly<Record<string, unknown>>>>;
  readonly violations: readonly FoundViolation[];
}

/** Creates a function that parses and validates the parameters of a request. */
export function createParameterCheck({
  parameters,
  document,
}: CheckedOperation): (sent: SentParameters) => CheckedParameters {
  const checks = parameters.filter(isSent).flatMap((parameter) => {
    const place = places.find((one) => one === parameter.in);
    if (place === undefined) return [];
    const name = place === "header" ? parameter.name.toLowerCase() : parameter.name;
    const read = createReader(parameter.schema, document);
    return [
      (request: SentParameters): CheckedParameter => {
        const carrier = request[place];
        if (carrier === undefined) return { violations: [] };
        const sent = Object.hasOwn(carrier, name) ? carrier[name] : undefined;
        const reading = sent === undefined ? undefined : read(sent);
        if (reading === undefined)
          return { violations: parameter.required ? [missingParameter(parameter, document)] : [] };
        const found = { place, name: parameter.name, value: reading.value };
        if (reading.violations.length === 0) return { found, violations: [] };
        return { found, violations: parameterViolations(parameter, reading.violations, sent, document) };
      },
    ];
  });
  return (sent) => {
    const checked = checks.map((check) => check(sent));
    const valuesIn = (place: string) =>
      Object.fromEntries(
        checked.flatMap(({ found }) => (found?.place === place ? [[found.name, found.value] as const] : [])),
      );
    const values = {
      path: valuesIn("path"),
      query: valuesIn("query"),
      header: valuesIn("header"),
      cookie: valuesIn("cookie"),
    };
    return { values, violations: checked.flatMap(({ violations }) => violations) };
  };
}

interface CheckedParameter {
  readonly found?: { readonly place: string; readonly name: string; readonly value: unknown };
  readonly violations: readonly FoundViolation[];
}
