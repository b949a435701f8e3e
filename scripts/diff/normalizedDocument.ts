import { isDeepStrictEqual } from "node:util";
import { canonicalJson, compareText, sortMembers } from "../contract/text.ts";
import {
  elementsOf,
  isObject,
  jsonPointer,
  mapMembers,
  membersOf,
  parseJson,
  pointerKeys,
  stringsOf,
  valueAt,
} from "../spec/json.ts";
import { isReference, methods, resolve, type OpenApiDocument } from "../spec/openapi.ts";
import { lifecycleDays } from "../spec/lifecycle.ts";
import { fillTemplate, pathParameters } from "../spec/pathTemplate.ts";
import { mapObjects } from "../spec/walk.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A description as `redocly diff` compares it best, and the way back from its places to those of the description. */
export interface NormalizedDocument {
  readonly document: Fields;
  /** JSON Pointers in the description by those in the document, for what is elsewhere. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Extensions that say something to consumers. */
const comparedExtensions = new Set<string>([
  "x-unspecified",
  "x-extensible-enum",
  "x-pagination",
  ...Object.values(lifecycleDays),
]);

/** Lists whose order means nothing, and fields that hold data. */
const sets = new Set(["required", "type", "enum", "tags", "x-extensible-enum", "x-unspecified"]);
const data = new Set(["default", "example", "value", "x-pagination", "not", "if"]);

/** Values that say the same as no value. */
const defaults: Fields = {
  ...{ required: false, deprecated: false, readOnly: false, writeOnly: false, uniqueItems: false },
  ...{ additionalProperties: true, unevaluatedProperties: true, unevaluatedItems: true, items: true },
  ...{ minLength: 0, minItems: 0, minProperties: 0, allowEmptyValue: false, allowReserved: false },
};

/**
 * Writes a description so that what means the same reads the same, and so that `redocly diff` compares each thing with its
 * counterpart and not with what is most like it: operations have all that they inherit, references to parameters have names,
 * names in paths are numbers, and data is text.
 */
export function normalizeDocument(document: OpenApiDocument): NormalizedDocument {
  const origins = new Map<string, string>();
  const parameters: Record<string, unknown> = {};
  const { openapi, paths, webhooks, security, components, ...rest } = normalizeFields(document);

  /** Makes a parameter a component, and gives the reference to it: those of an operation replace those of its path item. */
  const nameParameter = (value: unknown, place: string, path: string, to: readonly string[]) => {
    const parameter = normalizeParameter(isReference(value) ? resolve<object>(document, value) : value, path);
    const key = [...to, parameter.in, parameter.name].join(" ");
    const target = jsonPointer(["components", "parameters", key]);
    origins.set(target, isReference(value) ? jsonPointer(pointerKeys(value.$ref)) : place);
    parameters[key] = parameter;
    return `#${target}`;
  };
  const normalizeItem = (value: unknown, field: string, path: string) => {
    const from = jsonPointer(isReference(value) ? pointerKeys(value.$ref) : [field, path]);
    const item = isReference(value) ? normalizeFields(resolve<object>(document, value)) : value;
    origins.set(jsonPointer([field, templateOf(path)]), from);
    const { parameters: shared, ...others } = isObject(item) ? item : {};
    return mapMembers(others, (operation, method) => {
      if (!methods.some((name) => name === method) || !isObject(operation)) return operation;
      const to = [field, templateOf(path), method];
      origins.set(jsonPointer(to), `${from}/${method}`);
      const listed = [[shared, from] as const, [operation["parameters"], `${from}/${method}`] as const];
      const references = listed.flatMap(([list, holder]) =>
        elementsOf(list).map((one, index) => nameParameter(one, `${holder}/parameters/${index}`, path, to)),
      );
      if (operation["security"] === undefined && security !== undefined)
        origins.set(jsonPointer([...to, "security"]), "/security");
      const requirements = elementsOf(operation["security"] ?? security).map((requirement) =>
        mapMembers(sortMembers(requirement), (scopes) => stringsOf(scopes).toSorted()),
      );
      return {
        ...operation,
        parameters: references.length === 0 ? undefined : [...new Set(references)].map(($ref) => ({ $ref })),
        security: requirements.length === 0 ? undefined : requirements,
      };
    });
  };
  const normalizeItems = (field: string, items: unknown) => {
    const normalized: Record<string, object> = {};
    for (const [path, item] of membersOf(items)) {
      const template = templateOf(path);
      // Some descriptions part one path's operations by the names of its parameters (OpenAPI 3.1.1, section 4.8.8, forbids it).
      normalized[template] = { ...normalized[template], ...normalizeItem(item, field, path) };
    }
    return normalized;
  };
  // `redocly diff` tells a component where it meets it first: operations come before it.
  const normalized = {
    openapi,
    paths: normalizeItems("paths", paths),
    webhooks: normalizeItems("webhooks", webhooks),
    ...rest,
    components: {
      ...mapMembers(components, (named) => named),
      parameters: { ...mapMembers(valueAt(components, ["parameters"]), (named) => named), ...parameters },
    },
  };
  return { document: normalized, origins };
}

/** A path with numbers for the names of its parameters, which mean nothing to HTTP. */
export function templateOf(path: string): string {
  let position = 0;
  return fillTemplate(path, () => {
    position += 1;
    return `{${position}}`;
  });
}

/** The place in a description of a place in its normalized document. */
export function originOf({ origins }: NormalizedDocument, pointer: string): string {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const origin = origins.get(pointer.slice(0, end));
    if (origin !== undefined) return origin + pointer.slice(end);
  }
  return pointer;
}

/** A status code that takes the place of `2XX`, and its JSON Pointer in the description. */
export interface StatusRenaming {
  readonly pointer: string;
  readonly status: string;
}

/** Gives the one status code that takes the place of a `2XX` that name, so that the rest can be compared. */
export function alignStatuses(
  base: NormalizedDocument,
  next: NormalizedDocument,
): { readonly aligned: NormalizedDocument; readonly renamings: readonly StatusRenaming[] } {
  const origins = new Map(next.origins);
  const renamings: StatusRenaming[] = [];
  const document = mapObjects(next.document, (object, keys) => {
    const { responses } = object;
    const place = [...keys, "responses"];
    const status = keys[0] === "paths" ? filledStatus(valueAt(base.document, place), responses) : undefined;
    if (status === undefined) return object;
    const pointer = originOf(next, jsonPointer([...place, status]));
    origins.set(jsonPointer([...place, "2XX"]), pointer);
    renamings.push({ pointer, status });
    const { [status]: response, ...others } = Object.fromEntries(membersOf(responses));
    return { ...object, responses: { ...others, "2XX": response } };
  });
  return { aligned: { document: isObject(document) ? document : {}, origins }, renamings };
}

/**
 * Writes a schema as the only alternative, where the other document has it as one of several: the others were added, and
 * nothing else changed.
 */
export function alignAlternatives(document: NormalizedDocument, other: NormalizedDocument): NormalizedDocument {
  const aligned = mapObjects(document.document, (object, keys) => {
    const there = valueAt(other.document, keys);
    const keyword = ["oneOf", "anyOf"].find((name) => {
      const alternatives = elementsOf(valueAt(there, [name]));
      return object[name] === undefined && alternatives.some((one) => isDeepStrictEqual(one, object));
    });
    return keyword === undefined ? object : { [keyword]: [object] };
  });
  return { ...document, document: isObject(aligned) ? aligned : {} };
}

function normalizeFields(value: object): Fields {
  const normalized = mapObjects(value, (object) => {
    const fields: [name: string, member: unknown][] = [];
    for (const [key, member] of Object.entries(object)) {
      if (isMute(key, member)) continue;
      fields.push(key === "const" ? ["enum", [textOf(member)]] : [key, normalizeField(key, member)]);
    }
    return Object.fromEntries(fields);
  });
  return isObject(normalized) ? normalized : {};
}

function isMute(key: string, member: unknown): boolean {
  if (key.startsWith("x-")) return !comparedExtensions.has(key);
  if (key === "required" && Array.isArray(member)) return member.length === 0;
  return Object.hasOwn(defaults, key) && defaults[key] === member;
}

function normalizeField(key: string, member: unknown): unknown {
  if (data.has(key)) return textOf(member);
  if (key === "scopes")
    return membersOf(member)
      .map(([scope]) => scope)
      .toSorted();
  if (!Array.isArray(member)) return member;
  const list = elementsOf(member);
  if (key === "examples") return textOf(list);
  // Items of this list are found by their likeness: a number tells one that has moved.
  if (key === "prefixItems") {
    return list.map((item, index) => (isObject(item) ? { ...item, $anchor: `item${index}` } : item));
  }
  if (key === "type" && list.length === 1) return list[0];
  // Those of the document are objects.
  if (!sets.has(key) || (key === "tags" && list.some(isObject))) return list;
  const sorted = list.map(textOf).toSorted((a, b) => compareText(String(a), String(b)));
  return key.startsWith("x-") ? JSON.stringify(sorted) : sorted;
}

/** The list of an extension, which a normalized document has as text. */
export function extensionList(text: unknown): readonly unknown[] {
  return elementsOf(parseJson(String(text)));
}

/** A value as it is, if `redocly diff` compares it, or else as JSON with sorted members. */
function textOf(value: unknown): unknown {
  return typeof value === "object" ? canonicalJson(value) : value;
}

function normalizeParameter(value: unknown, path: string) {
  const parameter = normalizeFields(isObject(value) ? value : {});
  const [place, given] = [String(parameter["in"]), String(parameter["name"])];
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  const { style = usual, explode = style === "form" } = parameter;
  return { ...parameter, in: place, name: normalizeName(place, given, path), style, explode };
}

function normalizeName(place: string, name: string, path: string): string {
  if (place === "path") return String(pathParameters(path).indexOf(name) + 1);
  // Header names are not case-sensitive (RFC 9110, section 5.1).
  return place === "header" ? name.toLowerCase() : name;
}

/** The one status code that takes the place of a `2XX`. */
function filledStatus(before: unknown, after: unknown): string | undefined {
  const [old, current] = [new Map(membersOf(before)), new Map(membersOf(after))];
  const [status, ...others] = [...current.keys()].filter((name) => /^2\d\d$/.test(name) && !old.has(name));
  return old.has("2XX") && !current.has("2XX") && others.length === 0 ? status : undefined;
}
