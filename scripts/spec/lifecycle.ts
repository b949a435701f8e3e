import { stringMembersOf } from "../values/json.ts";

/** The lifecycle of an operation, a field or a whole description. */
export interface Lifecycle {
  readonly isDeprecated: boolean;
  /** The version of the contract that added it, recorded by a release. */
  readonly since: string | undefined;
  /** The version of the contract that deprecated it. */
  readonly deprecatedSince: string | undefined;
  /** The date of deprecation, as in RFC 3339. */
  readonly deprecatedOn: string | undefined;
  /** The date of removal. */
  readonly sunset: string | undefined;
}

/** Extensions with dates in RFC 3339: when something was deprecated, and when it will be removed. */
export const lifecycleDays = { deprecatedOn: "x-deprecated-on", sunset: "x-sunset" } as const;

export function lifecycleOf(object: object): Lifecycle {
  const members = stringMembersOf(object);
  return {
    isDeprecated: "deprecated" in object && object.deprecated === true,
    since: members["x-since"],
    deprecatedSince: members["x-deprecated-since"],
    deprecatedOn: members[lifecycleDays.deprecatedOn],
    sunset: members[lifecycleDays.sunset],
  };
}

/** A deprecation in words. `undefined` if nothing is deprecated. */
export function deprecationText(lifecycle: Lifecycle): string | undefined {
  if (!lifecycle.isDeprecated) return undefined;
  const { deprecatedOn, deprecatedSince, sunset } = lifecycle;
  const since = deprecatedSince ?? deprecatedOn;
  const day = deprecatedSince === undefined || deprecatedOn === undefined ? "" : ` (${deprecatedOn})`;
  const beginning = since === undefined ? "" : ` since ${since}${day}`;
  return `deprecated${beginning}${sunset === undefined ? "" : `, ends on ${sunset}`}`;
}
