import type { Direction } from "../spec/schemas.ts";
import type { Comparison } from "./comparison.ts";
import { valueIn, type FlatSchema, type SchemaView } from "./flatSchema.ts";
import type { Place } from "./places.ts";

/** The use of a schema's values. */
export interface Use {
  /** If it is missing, nobody sends or receives the values, so no difference is breaking. */
  readonly direction: Direction | undefined;
  /** Gaps of the surrounding object, which the schema may fill. */
  readonly closed?: readonly string[];
}

/** Two states of the schemas for a value. */
export interface FlatPair {
  readonly before: FlatSchema;
  readonly after: FlatSchema;
  readonly views: { readonly before: SchemaView; readonly after: SchemaView };
  /** The schema itself, in the old document if it was removed. */
  readonly place: Place;
  /** If it is missing, nobody sends or receives the values, so no difference is breaking. */
  readonly direction: Direction | undefined;
  /** Gaps of the surrounding object, which the schema may fill. */
  readonly closed: readonly string[];
  /** Compares the subschemas. */
  readonly compare: (before: SchemaView, after: SchemaView, use: Use) => Comparison;
}

export function isTrue(flat: FlatSchema, keyword: string): boolean {
  return valueIn(flat, keyword) === true;
}
