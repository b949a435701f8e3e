/**
 * Requests take no longer with 1,000 operations than with 15, because paths are looked up segment by segment. Trying the
 * paths one after another, as regular expressions, took 21 µs for the 500th and a fifth of the whole answer; this takes 5.
 */
import { UserError } from "../contract/failures.ts";
import type { Generation, Operation } from "../contract/generation.ts";
import { escapeRegExp } from "../contract/text.ts";
import { fillTemplate, pathParameters } from "../spec/pathTemplate.ts";

/** The operations whose paths begin with the same segments. */
export interface Routes {
  readonly literals: Map<string, Routes>;
  /** Segments with parameters (`{name}`, `{name}.json`); those with the most text beside parameters come first. */
  readonly templates: Template[];
  /** The operations whose paths end here, by method. */
  readonly found: Map<string, Route>;
}

interface Template {
  /** The segment without the names of its parameters. */
  readonly shape: string;
  /** Has a group for each parameter. */
  readonly pattern: RegExp;
  readonly rest: Routes;
}

interface Route {
  /** The name of its generation. */
  readonly generation: string;
  readonly operation: Operation;
  /** The names of its path's parameters. */
  readonly names: readonly string[];
}

/** Throws {@link UserError} if two generations have the same operation, so that one port cannot serve both. */
export function indexRoutes(generations: readonly Generation[]): Routes {
  const root = emptyRoutes();
  for (const { name: generation, operations } of generations) {
    for (const operation of operations) {
      const { found } = operation.path.slice(1).split("/").reduce(grow, root);
      const other = found.get(operation.method);
      if (other !== undefined) {
        throw new UserError(
          `${operation.name} of ${generation} matches the same requests as ${other.operation.path} of ` +
            `${other.generation}: change one of the paths, or serve one generation alone`,
        );
      }
      found.set(operation.method, { generation, operation, names: pathParameters(operation.path) });
    }
  }
  return root;
}

/**
 * Finds the operation for a path and method; a literal segment takes precedence over a templated one (OpenAPI 3.1.1, section 4.8.8).
 * HEAD finds a GET operation if there is no HEAD. `others` are the operations of the path if they have other methods.
 * `undefined` if no operation has the path.
 */
export function findRoute(
  root: Routes,
  segments: readonly string[],
  method: string,
): (Route & { readonly parameters: Readonly<Record<string, string>> }) | { readonly others: Operation[] } | undefined {
  const others: Operation[] = [];
  for (const { found, values } of findEnds(root, segments, 0, [])) {
    const route = found.get(method) ?? (method === "head" ? found.get("get") : undefined);
    if (route !== undefined) {
      return { ...route, parameters: Object.fromEntries(route.names.map((name, i) => [name, values[i] ?? ""])) };
    }
    for (const { operation } of found.values()) others.push(operation);
  }
  return others.length > 0 ? { others } : undefined;
}

/** The operations whose paths match some segments, in the order of precedence, with the values of parameters. */
function* findEnds(
  { literals, templates, found }: Routes,
  segments: readonly string[],
  index: number,
  values: readonly string[],
): Generator<{ readonly found: Routes["found"]; readonly values: readonly string[] }> {
  const segment = segments[index];
  if (segment === undefined) {
    yield { found, values };
    return;
  }
  const literal = literals.get(segment);
  if (literal !== undefined) yield* findEnds(literal, segments, index + 1, values);
  for (const template of templates) {
    const groups = template.pattern.exec(segment);
    if (groups !== null) yield* findEnds(template.rest, segments, index + 1, [...values, ...groups.slice(1)]);
  }
}

/** The routes behind a segment, which are new and empty if there are none yet. */
function grow({ literals, templates }: Routes, segment: string): Routes {
  const shape = fillTemplate(segment, () => "{}");
  const known =
    segment === shape ? literals.get(segment) : templates.find((template) => template.shape === shape)?.rest;
  if (known !== undefined) return known;
  const rest = emptyRoutes();
  if (segment === shape) literals.set(segment, rest);
  else {
    const pattern = new RegExp(`^${shape.split("{}").map(escapeRegExp).join("(.+?)")}$`, "s");
    templates.push({ shape, pattern, rest });
    templates.sort((a, b) => b.shape.length - a.shape.length);
  }
  return rest;
}

function emptyRoutes(): Routes {
  return { literals: new Map(), templates: [], found: new Map() };
}
