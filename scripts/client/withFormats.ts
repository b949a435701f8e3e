import { isDate, isDateTime, isEmail, isUri, isUuid } from "../values/textFormats.ts";
import type { ContractSchemas } from "./contractSchemas.ts";
import { assertFormats, type Formats, type Schema } from "./schema.ts";

/** The formats that {@link withFormats} asserts. The mock asserts them too, with the same checks. */
export const formats: Formats = {
  "date-time": isDateTime,
  date: isDate,
  email: isEmail,
  uri: isUri,
  uuid: isUuid,
};

/**
 * Returns a copy of a schema, or of a client's `schemas`, that also asserts formats: `date-time`, `date`,
 * `email`, `uri` and `uuid`.
 *
 * @example
 * const options = { validate: "throw", schemas: withFormats(schemas) } as const;
 */
function withFormats<Value>(schema: Schema<Value>): Schema<Value>;
function withFormats<Name>(schemas: ContractSchemas<Name>): ContractSchemas<Name>;
function withFormats(one: Schema | ContractSchemas<unknown>): Schema | ContractSchemas<unknown> {
  if (typeof one === "function") {
    return (...checked) => {
      assertFormats(formats, () => {
        one(...checked);
      });
    };
  }
  const standard: Schema["~standard"] = one["~standard"];
  const validate = (value: unknown) => assertFormats(formats, () => standard.validate(value));
  return { "~standard": { ...standard, validate } };
}

export { withFormats };
