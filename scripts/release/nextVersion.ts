import { UserError } from "../contract/failures.ts";
import type { Impact } from "../diff/changes.ts";

/**
 * The version after a change (Semantic Versioning 2.0.0). Before 1.0.0, a breaking change raises the minor version, and
 * any other the patch version, as npm's `^0.2.0` expects. Throws {@link UserError} for a version of another form.
 */
export function nextVersion(version: string, impact: Impact): string {
  const [, major, minor, patch] = (/^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []).map(Number);
  if (major === undefined || minor === undefined || patch === undefined) {
    throw new UserError(`package.json has the version ${version}: a release needs one such as 1.2.3`);
  }
  const isUnstable = major === 0;
  if (impact === "major" && !isUnstable) return `${major + 1}.0.0`;
  if (impact === "major" || (impact === "minor" && !isUnstable)) return `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${patch + 1}`;
}
