import { listInWords } from "../values/text.ts";
import { isObject } from "../values/json.ts";
import { propertySchemas } from "../spec/schemas.ts";
import { findViolations } from "./validator.ts";

interface NamedAlternative {
  readonly name: string;
  readonly schema: unknown;
}

/**
 * Creates a function that says of a valid body why it may be a mistake: it fits only alternatives whose fields
 * the contract doesn't specify, and these accept any object. The function returns a predicate, such as `is valid
 * only as Seated booking, …`, or `undefined` if the body fits an alternative that lists its fields. Returns
 * `undefined` if the alternatives aren't of both kinds.
 */
export function createOpenMatch(
  alternatives: readonly NamedAlternative[],
  document: object,
): ((body: unknown) => string | undefined) | undefined {
  const described = alternatives.map((one) => ({ ...one, fields: [...propertySchemas(document, one.schema).keys()] }));
  const open = described.filter(({ fields }) => fields.length === 0);
  const listing = described.filter(({ fields }) => fields.length > 0);
  if (open.length === 0 || listing.length === 0) return undefined;
  const names = listInWords(
    open.map(({ name }) => name),
    "disjunction",
  );
  return (body) => {
    if (!isObject(body)) return undefined;
    const reasons = listing.map(({ name, schema, fields }) => {
      const { violations, place } = findViolations(schema, body, { document, oneWay: "readOnly" });
      const [violation = place] = violations;
      const why = violation ? `${violation.pointer || "it"} ${violation.message}` : describeFields(body, fields);
      return why === undefined ? undefined : { isViolated: violation !== undefined, text: `as ${name}, ${why}` };
    });
    const known = reasons.filter((reason) => reason !== undefined);
    if (known.length < reasons.length) return undefined;
    // The contract doesn't forbid other fields, so the body may be for an alternative that lists some.
    const only = known.every(({ isViolated }) => isViolated) ? " only" : "";
    const texts = known.map(({ text }) => text).join("; ");
    return `is valid${only} as ${names}, whose fields aren't specified; ${texts}`;
  };
}

/** Says how the fields of a body differ from the listed ones. */
function describeFields(body: object, fields: readonly string[]): string | undefined {
  const sent = Object.keys(body);
  const other = sent.find((name) => !fields.includes(name));
  if (other !== undefined) return `${JSON.stringify(other.slice(0, 100))} is not one of ${fields.join(", ")}`;
  return sent.length === 0 ? `it has none of ${fields.join(", ")}` : undefined;
}
