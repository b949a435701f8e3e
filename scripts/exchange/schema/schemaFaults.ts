/** Mistakes in schemas that make them unusable. */
import { isObject, elementsOf } from "../../values/json.ts";
import { referencedValue } from "../../spec/openapi.ts";
import { schemasIn } from "../../spec/schemaKeywords.ts";
import { checkedKeywords } from "./checkedKeywords.ts";
import { wantedText, type Members } from "./keyword.ts";

/** A keyword with an invalid value. */
export interface SchemaFault {
  /** The schema with the keyword. */
  readonly schema: Members;
  readonly keyword: string;
  /** Continues a sentence that begins with the keyword: `must be a number, not "5"`. */
  readonly message: string;
}

/**
 * Finds the mistakes in schemas and in all that they contain or refer to, each once. `users` has the users of
 * each schema.
 */
export function findSchemaFaults<User>(users: ReadonlyMap<unknown, User>, document: object) {
  const known = new Map(users);
  const faults: (SchemaFault & { readonly user: User })[] = [];
  // Entries added during the iteration are visited too.
  for (const [schema, user] of known) {
    if (!isObject(schema)) continue;
    for (const fault of faultsAt(schema, document)) faults.push({ ...fault, user });
    for (const part of partsOf(schema, document)) {
      if (!known.has(part)) known.set(part, user);
    }
  }
  return faults;
}

/** The mistakes in a schema's own keywords. References lead into `document`. */
export function faultsAt(schema: Members, document: object): readonly SchemaFault[] {
  const faults: SchemaFault[] = [];
  for (const [keyword, written] of Object.entries(schema)) {
    const wanted = written === undefined ? undefined : checkedKeywords.get(keyword)?.wanted(written, document);
    if (wanted !== undefined) faults.push({ schema, keyword, message: wantedText(wanted, written) });
  }
  if (containsItself(schema, document)) {
    faults.push({
      schema,
      keyword: "$ref",
      message: "leads back to its own schema for the same value, which never ends",
    });
  }
  return faults;
}

/** Returns whether a schema with a reference applies itself to the same value again, in an endless loop. */
function containsItself(schema: Members, document: object): boolean {
  if (typeof schema["$ref"] !== "string") return false;
  const known = new Set(partsInPlace(schema, document));
  for (const part of known) {
    if (part === schema) return true;
    if (isObject(part)) for (const other of partsInPlace(part, document)) known.add(other);
  }
  return false;
}

/** The schemas that a schema applies to the same value. */
function partsInPlace(schema: Members, document: object): readonly unknown[] {
  const { $ref, allOf, anyOf, oneOf } = schema;
  const target = typeof $ref === "string" ? referencedValue(document, $ref) : undefined;
  return [target, ...[allOf, anyOf, oneOf].flatMap(elementsOf)];
}

/** The subschemas of a schema, and the target of its reference. */
function partsOf(schema: Members, document: object): readonly unknown[] {
  return Object.entries(schema).flatMap(([keyword, written]) => {
    if (keyword === "$ref") return typeof written === "string" ? [referencedValue(document, written)] : [];
    return schemasIn(keyword, written);
  });
}
