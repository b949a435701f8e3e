/**
 * Paths are looked up segment by segment, so requests are as fast with 1,000 operations as with 15. A lookup
 * takes 5 µs. Trying regular expressions in turn took 21 µs for the 500th path, a fifth of the whole response
 * time.
 */
import { UserError } from "../contract/failures.ts";
import type { CheckedOperation, Operation } from "../contract/generation.ts";
import { escapeRegExp } from "../values/text.ts";
import { fillTemplate, pathParameters } from "../spec/pathTemplate.ts";

/** The operations whose paths begin with the same segments. */
export interface Routes<Each extends CheckedOperation = Operation> {
  readonly literals: Map<string, Routes<Each>>;
  /** Segments with parameters (`{name}`, `{name}.json`). Those with the most literal text come first. */
  readonly templates: Template<Each>[];
  /** The operations at the end of this path, by method. */
  readonly found: Map<string, Route<Each>>;
}

interface Template<Each extends CheckedOperation> {
  /** The segment without the names of its parameters. */
  readonly shape: string;
  /** Captures each parameter in a group. */
  readonly pattern: RegExp;
  readonly rest: Routes<Each>;
}

interface Route<Each> {
  /** The name of its generation. */
  readonly generation: string;
  readonly operation: Each;
  /** The names of its path parameters. */
  readonly names: readonly string[];
}

/** Throws {@link UserError} if two generations have the same operation, so that one port cannot serve both. */
export function indexRoutes<Each extends CheckedOperation>(
  generations: readonly { readonly name: string; readonly operations: readonly Each[] }[],
): Routes<Each> {
  const root = emptyRoutes<Each>();
  for (const { name: generation, operations } of generations) {
    for (const operation of operations) {
      const { found } = operation.path
        .slice(1)
        .split("/")
        .reduce(grow<Each>, root);
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
 * Finds the operation for a path and method. Literal segments take precedence over templated ones (OpenAPI
 * 3.1.1, section 4.8.8). HEAD finds a GET operation if there is no HEAD. `others` are the operations of the
 * path if it has other methods only. `undefined` if no operation has the path.
 */
export function findRoute<Each extends CheckedOperation>(
  root: Routes<Each>,
  segments: readonly string[],
  method: string,
): (Route<Each> & { readonly parameters: Readonly<Record<string, string>> }) | { readonly others: Each[] } | undefined {
  const others: Each[] = [];
  for (const { found, values } of findEnds(root, segments, 0, [])) {
    const route = found.get(method) ?? (method === "head" ? found.get("get") : undefined);
    if (route !== undefined) {
      return { ...route, parameters: Object.fromEntries(route.names.map((name, i) => [name, values[i] ?? ""])) };
    }
    for (const { operation } of found.values()) others.push(operation);
  }
  return others.length > 0 ? { others } : undefined;
}

/** The operations whose paths match the given segments, in order of precedence, with the values of parameters. */
function* findEnds<Each extends CheckedOperation>(
  { literals, templates, found }: Routes<Each>,
  segments: readonly string[],
  index: number,
  values: readonly string[],
): Generator<{ readonly found: Routes<Each>["found"]; readonly values: readonly string[] }> {
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

/** Returns the routes after a segment, and creates them if there are none. */
function grow<Each extends CheckedOperation>({ literals, templates }: Routes<Each>, segment: string): Routes<Each> {
  const shape = fillTemplate(segment, () => "{}");
  const known =
    segment === shape ? literals.get(segment) : templates.find((template) => template.shape === shape)?.rest;
  if (known !== undefined) return known;
  const rest = emptyRoutes<Each>();
  if (segment === shape) literals.set(segment, rest);
  else {
    const pattern = new RegExp(`^${shape.split("{}").map(escapeRegExp).join("(.+?)")}$`, "s");
    templates.push({ shape, pattern, rest });
    templates.sort((a, b) => b.shape.length - a.shape.length);
  }
  return rest;
}

function emptyRoutes<Each extends CheckedOperation>(): Routes<Each> {
  return { literals: new Map(), templates: [], found: new Map() };
}
