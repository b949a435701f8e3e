import type { Generation, Operation } from "../../contract/generation.ts";

interface Route {
  /** The name of its generation. */
  readonly generation: string;
  readonly operation: Operation;
  /** The names in the path template, from left to right. */
  readonly parameterNames: readonly string[];
}

/** All operations, by the segments of their paths: finding one takes the same time however many there are. */
export interface RouteIndex {
  readonly operations: readonly Operation[];
  readonly root: Branch;
}

interface Branch {
  readonly literals: Map<string, Branch>;
  /** Segments that are a name and something else (`{name}.json`), by their shape; a pattern has a group for each name. */
  readonly patterns: Map<string, { readonly pattern: RegExp; readonly branch: Branch }>;
  /** Segments that are a name and nothing else. */
  parameter?: Branch;
  /** By method. */
  readonly routes: Map<string, Route>;
}

export interface FoundRoute {
  /** The name of its generation. */
  readonly generation: string;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, string>>;
}

export type Match =
  | FoundRoute
  /** The path is known, and its operations have other methods. */
  | { readonly others: readonly Operation[] };

/** Two generations have the same operation, so that one port cannot serve both. */
export class RouteConflictError extends Error {
  override name = "RouteConflictError";
}

const templateName = /\{([^{}]+)\}/g;
const anySegment = "{}";

/** Throws {@link RouteConflictError}. */
export function indexRoutes(generations: readonly Generation[]): RouteIndex {
  const root = emptyBranch();
  for (const { name: generation, operations } of generations) {
    for (const operation of operations) {
      const { routes } = operation.path.slice(1).split("/").reduce(grow, root);
      const other = routes.get(operation.method);
      if (other !== undefined) {
        throw new RouteConflictError(
          `${operation.name} of ${generation} matches the same requests as ${other.operation.path} of ` +
            `${other.generation}: change one of the paths, or serve one generation alone`,
        );
      }
      const parameterNames = [...operation.path.matchAll(templateName)].map(([, name = ""]) => name);
      routes.set(operation.method, { generation, operation, parameterNames });
    }
  }
  return { operations: generations.flatMap(({ operations }) => operations), root };
}

/**
 * Finds the operation for a path and method; a literal segment takes precedence over a templated one (OpenAPI 3.1.1, section 4.8.8).
 * HEAD finds a GET operation if there is no HEAD. `undefined` if no operation has the path.
 */
export function findRoute({ root }: RouteIndex, segments: readonly string[], method: string): Match | undefined {
  const others: Operation[] = [];
  for (const { branch, values } of findBranches(root, segments, 0, [])) {
    const found = branch.routes.get(method) ?? (method === "head" ? branch.routes.get("get") : undefined);
    if (found !== undefined) {
      const parameters = Object.fromEntries(found.parameterNames.map((name, index) => [name, values[index] ?? ""]));
      return { generation: found.generation, operation: found.operation, parameters };
    }
    for (const { operation } of branch.routes.values()) others.push(operation);
  }
  return others.length > 0 ? { others } : undefined;
}

function* findBranches(
  branch: Branch,
  segments: readonly string[],
  index: number,
  values: readonly string[],
): Generator<{ readonly branch: Branch; readonly values: readonly string[] }> {
  const segment = segments[index];
  if (segment === undefined) {
    yield { branch, values };
    return;
  }
  const literal = branch.literals.get(segment);
  if (literal !== undefined) yield* findBranches(literal, segments, index + 1, values);
  if (segment === "") return;
  for (const { pattern, branch: next } of branch.patterns.values()) {
    const groups = pattern.exec(segment);
    if (groups !== null) yield* findBranches(next, segments, index + 1, [...values, ...groups.slice(1)]);
  }
  if (branch.parameter) yield* findBranches(branch.parameter, segments, index + 1, [...values, segment]);
}

function grow(branch: Branch, segment: string): Branch {
  if (!segment.includes("{")) return getOrAdd(branch.literals, segment, emptyBranch);
  const shape = segment.replaceAll(templateName, anySegment);
  if (shape === anySegment) return (branch.parameter ??= emptyBranch());
  return getOrAdd(branch.patterns, shape, () => ({
    pattern: new RegExp(`^${shape.split(anySegment).map(escapeRegExp).join("(.+?)")}$`, "s"),
    branch: emptyBranch(),
  })).branch;
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  map.set(key, created);
  return created;
}

function emptyBranch(): Branch {
  return { literals: new Map(), patterns: new Map(), routes: new Map() };
}
