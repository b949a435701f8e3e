/** The forms that the values of keywords have (JSON Schema 2020-12 Core, section 10, and Validation, section 6). */
import { isObject, stringsOf } from "../../values/json.ts";
import { referencedValue } from "../../spec/openapi.ts";
import { readPattern, type Pattern } from "../../spec/patterns.ts";
import type { Form, Members } from "./keyword.ts";

export const aNumber: Form<number> = {
  name: "a number",
  read: (written) => (typeof written === "number" ? written : undefined),
};

export const aPositiveNumber: Form<number> = {
  name: "a number above 0",
  read: (written) => (typeof written === "number" && written > 0 ? written : undefined),
};

export const aCount: Form<number> = {
  name: "an integer from 0",
  read: (written) => (typeof written === "number" && Number.isInteger(written) && written >= 0 ? written : undefined),
};

export const aBoolean: Form<boolean> = {
  name: "true or false",
  read: (written) => (typeof written === "boolean" ? written : undefined),
};

export const aText: Form<string> = {
  name: "a string",
  read: (written) => (typeof written === "string" ? written : undefined),
};

/** In a list of one, since it may be `undefined` in a generated description. */
export const anyValue: Form<readonly [unknown]> = { name: "a value", read: (written) => [written] };

export const aList: Form<readonly unknown[]> = {
  name: "a list",
  read: (written) => (Array.isArray(written) ? written : undefined),
};

export const aListOfNames: Form<readonly string[]> = {
  name: "a list of strings",
  read: (written) => {
    const names = stringsOf(written);
    return Array.isArray(written) && names.length === written.length ? names : undefined;
  },
};

const typeNames = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

export const typeNamesForm: Form<ReadonlySet<string>> = {
  name: `one or several of ${[...typeNames].join(", ")}`,
  read: (written) => {
    const names: readonly unknown[] = Array.isArray(written) ? written : [written];
    const known = stringsOf(names).filter((name) => typeNames.has(name));
    return names.length > 0 && known.length === names.length ? new Set(known) : undefined;
  },
};

export const aPattern: Form<Pattern> = { name: "a regular expression", read: readPattern };

function isSchemaForm(written: unknown): boolean {
  return isObject(written) || typeof written === "boolean";
}

/** In a list of one, since the schema may be `false`. */
export const aSchema: Form<readonly [unknown]> = {
  name: "a schema",
  read: (written) => (isSchemaForm(written) ? [written] : undefined),
};

export const aListOfSchemas: Form<readonly unknown[]> = {
  name: "a list of schemas",
  read: (written) =>
    Array.isArray(written) && written.length > 0 && written.every(isSchemaForm) ? written : undefined,
};

export const schemasByName: Form<Members> = {
  name: "an object with schemas",
  read: (written) => (isObject(written) && Object.values(written).every(isSchemaForm) ? written : undefined),
};

/** A reference within the document: its schema, in a list of one. */
export const aReference: Form<readonly [unknown]> = {
  name: "a reference to a schema in this description",
  read: (written, document) =>
    aSchema.read(typeof written === "string" ? referencedValue(document, written) : undefined, document),
};
