import type { Generation, Operation } from "../contract/generation.ts";
import { slugOf } from "../contract/text.ts";

/** The names of a generation's groups in URLs, each of them once. */
export function groupSlugs({ groups }: Generation): ReadonlyMap<string, string> {
  const slugs = new Map<string, string>();
  for (const { name } of groups) {
    const slug = slugOf(name) || "group";
    const taken = new Set(slugs.values());
    let candidate = slug;
    for (let count = 2; taken.has(candidate); count += 1) candidate = `${slug}-${count}`;
    slugs.set(name, candidate);
  }
  return slugs;
}

/** An operation's name in URLs. One without an `operationId` is named by its method and path. */
export function operationSlug({ operationId, name }: Operation): string {
  return operationId?.toLowerCase() ?? slugOf(name);
}

/** The fragment at which the reference page shows an operation. */
export function operationFragment(generation: Generation, operation: Operation): string {
  return `#/${groupSlugs(generation).get(operation.group) ?? ""}/${operationSlug(operation)}`;
}
