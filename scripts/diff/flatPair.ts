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

/** Whether fewer or more values are allowed than before. `other` if some were removed and some were added. */
export type Extent = "fewer" | "more" | "other" | "same";

/** Returns whether a change of the allowed values breaks those who send them, or those who receive them. */
export function isBreaking(extent: Extent, direction: Direction | undefined): boolean {
  if (extent === "same" || direction === undefined) return false;
  return extent === "other" || direction === (extent === "fewer" ? "request" : "response");
}

/** The marks of properties that are never in requests, or never in responses. */
export const hiding = { request: "readOnly", response: "writeOnly" } as const;

export function isTrue(flat: FlatSchema, keyword: string): boolean {
  return valueIn(flat, keyword) === true;
}
