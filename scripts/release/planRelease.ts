import { readFile } from "node:fs/promises";
import { UserError } from "../contract/failures.ts";
import { readReleased } from "../diff/baseGenerations.ts";
import type { Generation } from "../contract/generation.ts";
import type { Change, Impact } from "../diff/changes.ts";
import { compareGenerations } from "../diff/compareGenerations.ts";
import { lintSources } from "../pipeline/buildGenerated.ts";
import { readHistory } from "../pipeline/releaseHistory.ts";
import { jsonPointer, membersOf, parseJson, pointerKeys, stringMembersOf, valueAt } from "../values/json.ts";
import { completeChangelog } from "../diff/changelogEntry.ts";

/** Everything that a release writes. */
export interface ReleasePlan {
  /** The version of the last release. */
  readonly former: string;
  readonly version: string;
  readonly changes: readonly Change[];
  /** The entry of the release in the changelog, with its heading. */
  readonly entry: string;
  /** The text of the whole changelog. */
  readonly changelog: string;
  /** By generation and JSON Pointer: the version in which something was added or deprecated. */
  readonly history: Readonly<Record<string, unknown>>;
}

/**
 * Plans the next release from the changes since the last one in the current folder. `date` is the day of the
 * release, as in RFC 3339. Throws {@link UserError} if nothing has changed for consumers, or if the sources
 * have mistakes.
 */
export async function planRelease(date: string): Promise<ReleasePlan> {
  const [base, next] = await Promise.all([readReleased(), lintSources(() => undefined)]);
  const changes = compareGenerations(base, next);
  const [worst] = changes;
  if (worst === undefined) throw new UserError("nothing has changed for consumers since the last release");
  const former = String(valueAt(parseJson(await readFile("package.json", "utf8")), ["version"]));
  const version = nextVersion(former, worst.impact);
  const heading = `${version} (${date})`;
  const { text, content } = await completeChangelog(changes, { heading, version, date });
  return {
    former,
    version,
    changes,
    entry: `## ${heading}\n\n${text}`,
    changelog: content,
    history: extendHistory(await readHistory(), changes, next, version),
  };
}

/**
 * The next version (Semantic Versioning 2.0.0). Before 1.0.0, a breaking change raises the minor version, and
 * any other the patch version, as npm's `^0.2.0` expects. Throws {@link UserError} if the version is
 * malformed.
 */
function nextVersion(version: string, impact: Impact): string {
  const [, major, minor, patch] = (/^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []).map(Number);
  if (major === undefined || minor === undefined || patch === undefined) {
    throw new UserError(`package.json has the version ${version}: a release needs one such as 1.2.3`);
  }
  const isUnstable = major === 0;
  if (impact === "major" && !isUnstable) return `${major + 1}.0.0`;
  if (impact === "major" || (impact === "minor" && !isUnstable)) return `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${patch + 1}`;
}

/** Fields that hold lists. */
const lists = new Set(["parameters", "allOf", "anyOf", "oneOf", "prefixItems", "security", "servers", "tags"]);

/** Items of a list have no stable place. */
function isInList(keys: readonly string[]): boolean {
  return keys.some((key, index) => lists.has(key) && isIndex(keys[index + 1]));
}

function isIndex(key?: string): boolean {
  return key !== undefined && key !== "" && Number.isInteger(Number(key));
}

/** Records additions and deprecations at their places, if these are stable. */
function extendHistory(
  history: unknown,
  changes: readonly Change[],
  next: readonly Generation[],
  version: string,
): ReleasePlan["history"] {
  const extended = new Map(membersOf(history));
  for (const change of changes) {
    const { code, kind, generation } = change;
    const isDeprecated = code === "deprecated";
    if (kind !== "added" && !isDeprecated) continue;
    const places = new Map(membersOf(extended.get(generation)));
    const event = isDeprecated ? "x-deprecated-since" : "x-since";
    for (const keys of placesOf(change, next)) {
      const place = jsonPointer(isDeprecated && keys.at(-1) === "deprecated" ? keys.slice(0, -1) : keys);
      if (!isInList(keys)) places.set(place, { ...stringMembersOf(places.get(place)), [event]: version });
    }
    extended.set(generation, Object.fromEntries(places));
  }
  return Object.fromEntries(extended);
}

/** The places of a change: its own, or those of all operations. */
function placesOf({ generation, subject, pointer }: Change, next: readonly Generation[]) {
  if (subject.type !== "every operation") return [pointerKeys(pointer)];
  const { operations = [] } = next.find(({ name }) => name === generation) ?? {};
  return operations.map((operation) => pointerKeys(operation.pointer));
}
