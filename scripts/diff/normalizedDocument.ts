import { isObject, membersOf, stringsOf } from "../spec/json.ts";
import { jsonPointer, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import { isReference, methods, type OpenApiDocument } from "../spec/openapi.ts";
import { resolve } from "../spec/references.ts";
import { mapObjects } from "../spec/walk.ts";
import { compareText } from "../contract/text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A description as `redocly diff` compares it best, and the way back from its places to those of the description. */
export interface NormalizedDocument {
  readonly document: Fields;
  /** JSON Pointers in the description by those in the document, for what is elsewhere. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Extensions that say something to consumers. */
const comparedExtensions = new Set(["x-unspecified", "x-extensible-enum", "x-pagination", "x-index"]);

/** Lists whose order means nothing. */
const sets = new Set(["required", "type", "enum", "tags", "x-extensible-enum", "x-unspecified"]);

/** Values that say the same as no value. */
const defaults: Fields = {
  ...{ required: false, deprecated: false, readOnly: false, writeOnly: false, uniqueItems: false },
  ...{ additionalProperties: true, unevaluatedProperties: true, unevaluatedItems: true, items: true },
  ...{ minLength: 0, minItems: 0, minProperties: 0, allowEmptyValue: false, allowReserved: false },
};

/**
 * Writes a description so that the same meaning has the same text, and each thing that `redocly diff` would compare as a
 * whole, or by its likeness to others, is compared on its own:
 * what operations inherit becomes theirs, parameters have names to refer to, and data becomes text.
 */
export function normalizeDocument(document: OpenApiDocument): NormalizedDocument {
  const origins = new Map<string, string>();
  const parameters: Record<string, unknown> = {};
  const { security, components, paths, webhooks, ...others } = normalizeFields(document);
  const pathItems = (field: string, items: unknown) =>
    Object.fromEntries(
      membersOf(items).map(([path, item]) => {
        const template = templateOf(path);
        const own = jsonPointer([field, template]);
        const source = jsonPointer(isReference(item) ? pointerKeys(item.$ref) : [field, path]);
        origins.set(own, source);
        const resolved: Fields = { ...resolve<object>(document, isObject(item) ? item : {}) };
        const { parameters: shared, ...rest } = isReference(item) ? normalizeFields(resolved) : resolved;
        const operations = methods.flatMap((method) => {
          const operation = rest[method];
          if (!isObject(operation)) return [];
          const at = `${source}/${method}`;
          if (operation["security"] === undefined && security !== undefined) {
            origins.set(`${own}/${method}/security`, "/security");
          }
          const lists = [
            [shared, `${source}/parameters`],
            [operation["parameters"], `${at}/parameters`],
          ] as const;
          const named = lists.flatMap(([list, pointer]) => readParameters(document, list, pointer, path));
          const references = Object.fromEntries(
            named.map(({ parameter, pointer, name }) => {
              const key = `${method} ${template} ${name}`;
              parameters[key] = parameter;
              origins.set(jsonPointer(["components", "parameters", key]), pointer);
              return [name, { $ref: `#${jsonPointer(["components", "parameters", key])}` }];
            }),
          );
          const requirements = normalizeSecurity(operation["security"] ?? security);
          const list = Object.values(references);
          return [[method, { ...operation, parameters: list, security: requirements }] as const];
        });
        return [template, { ...rest, ...Object.fromEntries(operations) }];
      }),
    );
  const ownPaths = pathItems("paths", paths);
  const ownWebhooks = pathItems("webhooks", webhooks);
  // A component is told where it is met first: operations come before it.
  const ownComponents = {
    ...(isObject(components) ? components : {}),
    parameters: { ...Object.fromEntries(membersOf(valueAt(components, ["parameters"]))), ...parameters },
  };
  const { openapi, ...rest } = others;
  return { document: { openapi, paths: ownPaths, webhooks: ownWebhooks, ...rest, components: ownComponents }, origins };
}

/** A path with numbers for the names of its parameters, which mean nothing to HTTP. */
export function templateOf(path: string): string {
  let position = 0;
  return path.replaceAll(/\{[^{}]+\}/g, () => `{${(position += 1)}}`);
}

/** The place in a description of a place in its normalized document. */
export function originOf({ origins }: NormalizedDocument, pointer: string): string {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const origin = origins.get(pointer.slice(0, end));
    if (origin !== undefined) return origin + pointer.slice(end);
  }
  return pointer;
}

function normalizeFields(value: object): Fields {
  const normalized = mapObjects(value, (object) =>
    Object.fromEntries(
      Object.entries(object)
        .filter(([key, member]) => !isMute(key, member))
        .map(([key, member]) => [key, normalizeField(key, member)]),
    ),
  );
  return isObject(normalized) ? normalized : {};
}

function isMute(key: string, member: unknown): boolean {
  if (key.startsWith("x-")) return !comparedExtensions.has(key);
  if (key === "required" && Array.isArray(member) && member.length === 0) return true;
  return member === undefined || (Object.hasOwn(defaults, key) && defaults[key] === member);
}

function normalizeField(key: string, member: unknown): unknown {
  if (key === "type" && Array.isArray(member) && member.length === 1) return member[0];
  if (key === "prefixItems" && Array.isArray(member)) {
    return member.map((item: unknown, index) => (isObject(item) ? { ...item, "x-index": index } : item));
  }
  if (sets.has(key) && Array.isArray(member)) {
    const sorted = member.map(textOf).toSorted((a, b) => compareText(String(a), String(b)));
    return key.startsWith("x-") ? JSON.stringify(sorted) : sorted;
  }
  const isData = ["const", "default", "example", "value", "x-pagination"].includes(key);
  return isData || (key === "examples" && Array.isArray(member)) ? textOf(member) : member;
}

/** A value as it is, if `redocly diff` compares it, or else as JSON with sorted members. */
function textOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(sortMembers(value)) : value;
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const sorted = Object.entries(value).toSorted(([a], [b]) => compareText(a, b));
  return Object.fromEntries(sorted.map(([key, member]) => [key, sortMembers(member)]));
}

/** The parameters of a list, each with its place and a name that is its own: `query limit`. */
function readParameters(document: OpenApiDocument, list: unknown, place: string, path: string) {
  const inPath: readonly string[] = path.match(/(?<=\{)[^{}]+(?=\})/g) ?? [];
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((item, index) => {
    const parameter: Fields = isReference(item) ? normalizeFields(resolve<object>(document, item)) : item;
    const pointer = isReference(item) ? jsonPointer(pointerKeys(item.$ref)) : `${place}/${index}`;
    const where = String(parameter["in"]);
    const given = String(parameter["name"]);
    // Header names are not case-sensitive (RFC 9110, section 5.1).
    const name =
      where === "path" ? String(inPath.indexOf(given) + 1) : where === "header" ? given.toLowerCase() : given;
    const usual = where === "query" || where === "cookie" ? "form" : "simple";
    const { style = usual, explode = style === "form", ...rest } = parameter;
    return { parameter: { ...rest, name, style, explode }, pointer, name: `${where} ${name}` };
  });
}

function normalizeSecurity(security: unknown): unknown {
  if (!Array.isArray(security) || security.length === 0) return undefined;
  return security.map((requirement: unknown) =>
    Object.fromEntries(
      membersOf(requirement)
        .toSorted(([a], [b]) => compareText(a, b))
        .map(([name, scopes]) => [name, stringsOf(scopes).toSorted()]),
    ),
  );
}
