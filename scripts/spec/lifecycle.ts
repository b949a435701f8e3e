import { stringMembersOf } from "./json.ts";

/** The life of an operation, a field or a whole description, as far as it tells. */
export type Lifecycle = ReturnType<typeof lifecycleOf>;

/** Days that a description gives, as in RFC 3339: when something was deprecated, and when it will be gone. */
export const lifecycleDays = { deprecatedOn: "x-deprecated-on", sunset: "x-sunset" } as const;

export function lifecycleOf(object: object) {
  const members = stringMembersOf(object);
  return {
    isDeprecated: "deprecated" in object && object.deprecated === true,
    // Versions of the contract, which a release notes.
    since: members["x-since"],
    deprecatedSince: members["x-deprecated-since"],
    deprecatedOn: members[lifecycleDays.deprecatedOn],
    sunset: members[lifecycleDays.sunset],
  };
}

/** A deprecation in words; `undefined` of what is not deprecated. */
export function deprecationText(lifecycle: Lifecycle): string | undefined {
  if (!lifecycle.isDeprecated) return undefined;
  const { deprecatedOn, deprecatedSince: since = deprecatedOn, sunset } = lifecycle;
  return `deprecated${since === undefined ? "" : ` since ${since}`}${sunset === undefined ? "" : `, ends on ${sunset}`}`;
}
