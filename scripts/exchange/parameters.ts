import { isSent, type Operation } from "../contract/generation.ts";
import { createReader, type Carrier } from "./parameterReader.ts";
import type { Violation } from "./refusal.ts";
import { missingParameter, parameterViolations } from "./violations.ts";

/** The parameters of a request by place. Header fields are by lower-case name. */
type ParameterValues = Readonly<Record<"header" | "path" | "query", Carrier>>;

/** Creates a function that validates the parameters of a request. */
export function createParameterCheck({ parameters, document }: Operation): (values: ParameterValues) => Violation[] {
  const checks = parameters.filter(isSent).flatMap((parameter) => {
    const place = (["path", "query", "header"] as const).find((one) => one === parameter.in);
    if (place === undefined) return [];
    const name = place === "header" ? parameter.name.toLowerCase() : parameter.name;
    const read = createReader({ ...parameter, name }, document);
    return [
      (values: ParameterValues): readonly Violation[] => {
        const reading = read(values[place]);
        if (reading === undefined) return parameter.required ? [missingParameter(parameter, document)] : [];
        if (reading.violations.length === 0) return [];
        const sent = Object.hasOwn(values[place], name) ? values[place][name] : undefined;
        return parameterViolations(parameter, reading.violations, sent, document);
      },
    ];
  });
  return (values) => checks.flatMap((check) => check(values));
}
