import type { Direction } from "../spec/schemas.ts";
import type { Comparison } from "./comparison.ts";
import { valueIn, type FlatSchema, type SchemaView } from "./flatSchema.ts";
import type { Place } from "./places.ts";

/** How values of a schema are used. */
export interface Use {
  /** Without one, nobody sends or receives them: whatever differs breaks nobody. */
  readonly direction: Direction | undefined;
  /** Gaps of what the schema belongs to, which it may fill. */
  readonly closed?: readonly string[];
}

/** What holds for a value before and after. */
export interface FlatPair {
  readonly before: FlatSchema;
  readonly after: FlatSchema;
  readonly views: { readonly before: SchemaView; readonly after: SchemaView };
  /** The schema itself, now; in the former document, if it is gone. */
  readonly place: Place;
  /** Without one, nobody sends or receives values of it: whatever differs breaks nobody. */
  readonly direction: Direction | undefined;
  /** Gaps of what the schema belongs to, which it may fill. */
  readonly closed: readonly string[];
  /** Compares the schemas inside. */
  readonly compare: (before: SchemaView, after: SchemaView, use: Use) => Comparison;
}

/** Whether values are fewer than before or more; `other` if some are no longer among them, and some are new. */
export type Extent = "fewer" | "more" | "other" | "same";

/** Tells whether a change of what is accepted breaks those who send values, or those who receive them. */
export function isBreaking(extent: Extent, direction: Direction | undefined): boolean {
  if (extent === "same" || direction === undefined) return false;
  return extent === "other" || direction === (extent === "fewer" ? "request" : "response");
}

/** What is never sent, and what is never received. */
export const hiding = { request: "readOnly", response: "writeOnly" } as const;

export function isTrue(flat: FlatSchema, keyword: string): boolean {
  return valueIn(flat, keyword) === true;
}
