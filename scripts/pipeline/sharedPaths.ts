import type { Generation } from "../contract/generation.ts";
import { placeIn } from "../redocly/sourceFiles.ts";
import { jsonPointer } from "../spec/jsonPointer.ts";
import type { GenerationSource } from "./configuration.ts";
import { errorAt, type LintProblem } from "./lintProblems.ts";

/** Finds operations that take the same requests as those of another generation, so that no server could serve both. */
export function findSharedPaths(
  generations: readonly Generation[],
  sources: readonly GenerationSource[],
): readonly LintProblem[] {
  const owners = new Map<string, string>();
  return generations.flatMap(({ name, operations }) =>
    operations.flatMap(({ method, path }) => {
      const request = `${method} ${path.replaceAll(/\{[^{}]*\}/g, "{}")}`;
      const owner = owners.get(request) ?? name;
      owners.set(request, owner);
      if (owner === name) return [];
      const root = sources.find((source) => source.name === name)?.root ?? "";
      const place = { ...placeIn(root, jsonPointer(["paths", path])), reportOnKey: true };
      const message = `The generation ${owner} has the same path, and one server is to serve both.`;
      return [errorAt(place, "shared-path", message, `Begin each path of ${name} with /${name}/.`)];
    }),
  );
}
