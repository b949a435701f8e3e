import type { Generation } from "../../contract/generation.ts";
import { isControlTarget } from "../../mock/controlApi.ts";
import { isRefusal } from "../../mock/response/refusal.ts";
import { readTarget } from "../../mock/request/requestTarget.ts";
import { findRoute, indexRoutes } from "../../mock/request/routes.ts";

/**
 * What makes a request the mock's: an operation with its method and path, operations with its path and other methods, or
 * a path that begins as those of the API do.
 */
type MockClaim = "operation" | "path" | "prefix";

/**
 * Makes a function that tells what claim the mock has to a request, by its method and its path, still percent-encoded and
 * without the query. Throws {@link UserError} if two generations have the same operation.
 */
export function createMockClaims(
  generations: readonly Generation[],
): (method: string, path: string) => MockClaim | undefined {
  const routes = indexRoutes(generations);
  const paths = generations.flatMap(({ operations }) => operations.map(({ path }) => path));
  const prefixes = new Set(["-", ...paths.map((path) => path.split("/")[1] ?? "")]);
  // That of the path `/`, and of those that begin with two slashes.
  prefixes.delete("");
  return (method, path) => {
    if (isControlTarget(path)) return "operation";
    const target = readTarget(path);
    const segments = isRefusal(target) ? path.split("/").slice(1) : target.segments;
    const match = isRefusal(target) ? undefined : findRoute(routes, segments, method.toLowerCase());
    if (match !== undefined) return "others" in match ? "path" : "operation";
    return prefixes.has(segments[0] ?? "") ? "prefix" : undefined;
  };
}
