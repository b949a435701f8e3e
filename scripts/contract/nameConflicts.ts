import type { ResolvedRefMap, Source } from "@redocly/openapi-core";
import { relative } from "node:path";
import { compareText, placeOf, type Problem } from "./problems.ts";

/**
 * Finds components of one kind and name that a generation takes from more than one file. In a bundle they would meet:
 * Redocly's bundler (2.64) then renames all but one (`Team-2`), or keeps only one where they read the same, although
 * their references may lead to different things.
 */
export function findNameConflicts(references: ResolvedRefMap): Problem[] {
  const definitions = new Map<string, Map<string, Source>>();
  for (const reference of references.values()) {
    if (!reference.resolved) continue;
    // A reference with keywords beside it is a component of its own, and the first hop of the chain.
    const { source, pointer } = reference.chain?.[0]?.location ?? {
      source: reference.document.source,
      pointer: reference.nodePointer,
    };
    if (!/^#\/components\/[^/]+\/[^/]+$/.test(pointer)) continue;
    const sources = definitions.get(pointer) ?? new Map<string, Source>();
    definitions.set(pointer, sources.set(source.absoluteRef, source));
  }
  return [...definitions].flatMap(([pointer, sources]) => {
    const places = [...sources.values()]
      .map((source) => placeOf({ source, pointer, reportOnKey: true }))
      .sort((a, b) => compareText(a.file, b.file));
    const [first, ...others] = places;
    if (first === undefined) return [];
    return others.map((place) => ({
      severity: "error" as const,
      ...place,
      rule: "component-name-conflict",
      message: `${pointer} is also defined at ${relative(process.cwd(), first.file)}:${first.line}:${first.column}.`,
      suggestion: "Rename one of the two, or define it once, in a file that both places refer to.",
    }));
  });
}
