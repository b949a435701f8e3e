import { stringMembersOf } from "./json.ts";

/** The life of an operation, a field or a whole description, as far as it tells. */
export type Lifecycle = ReturnType<typeof lifecycleOf>;

/** Days that a description gives, as in RFC 3339: when something was deprecated, and when it will be gone. */
export const lifecycleDays = { deprecatedOn: "x-deprecated-on", sunset: "x-sunset" } as const;

/** Versions of the contract, which a release notes: that which added something, and that which deprecated it. */
export const lifecycleVersions = { since: "x-since", deprecatedSince: "x-deprecated-since" } as const;

export function lifecycleOf(object: object) {
  const members = stringMembersOf(object);
  return {
    isDeprecated: "deprecated" in object && object.deprecated === true,
    since: members[lifecycleVersions.since],
    deprecatedSince: members[lifecycleVersions.deprecatedSince],
    deprecatedOn: members[lifecycleDays.deprecatedOn],
    sunset: members[lifecycleDays.sunset],
  };
}

/** A deprecation in words; `undefined` of what is not deprecated. */
export function deprecationText({
  isDeprecated,
  deprecatedSince,
  deprecatedOn,
  sunset,
}: Lifecycle): string | undefined {
  if (!isDeprecated) return undefined;
  const since = deprecatedSince ?? deprecatedOn;
  return `deprecated${since === undefined ? "" : ` since ${since}`}${sunset === undefined ? "" : `, ends on ${sunset}`}`;
}
