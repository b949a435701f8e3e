/* The safety of data on a server, for all commands that send requests: what may change data, and what allows that. */
import type { Operation } from "../contract/generation.ts";
import { isSegment, pathParameters } from "../spec/pathTemplate.ts";
import { describeId } from "./describeValue.ts";

/** What allows changes, by the names of options. A command has the options for the changes that it can make. */
const permissions = ["allow-changes", "allow-lasting-changes", "allow-deletes"] as const;

export type Permission = (typeof permissions)[number];

/** The permissions that options give. */
export function readPermissions(given: Readonly<Partial<Record<Permission, boolean>>>): ReadonlySet<Permission> {
  return new Set(permissions.filter((name) => given[name] === true));
}

/** A request that may change data. */
export interface DataChange {
  readonly operation: Operation;
  /** The permissions that it needs, all of them. */
  readonly needs: readonly Permission[];
}

/** Checks whether an operation may delete a resource, or a part of one. */
export function mayDelete({ method, resource }: Operation): boolean {
  return method === "delete" || resource.effect === "delete";
}

/** The permissions that a change needs and doesn't have. */
export function missingPermissions({ needs }: DataChange, allowed: ReadonlySet<Permission>): readonly Permission[] {
  return needs.filter((one) => !allowed.has(one));
}

/** The values of an operation's path parameters, without those that are missing, or would lead to another path. */
export function fittingValues({ path }: Operation, valueOf: (name: string) => unknown): ReadonlyMap<string, unknown> {
  const values = pathParameters(path).map((name) => [name, valueOf(name)] as const);
  return new Map(values.filter(([, value]) => isSegment(value)));
}

/** An operation, and the resources that its request names: `PATCH /rooms/{id} (id "attic")`. */
export function describeTarget<Value>(
  { name }: Operation,
  values: ReadonlyMap<string, Value>,
  describe: (parameter: string, value: Value) => string = (parameter, value) =>
    `${parameter} ${describeId(parameter, value)}`,
): string {
  const ids = Array.from(values, ([parameter, value]) => describe(parameter, value));
  return ids.length === 0 ? name : `${name} (${ids.join(", ")})`;
}
