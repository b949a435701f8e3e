import type { Location, Oas3Rule, OasRef, UserContext } from "@redocly/openapi-core";
import { countOf } from "../../values/text.ts";
import { isObject, valueAt } from "../../values/json.ts";
import { essenceOf, fallsUnder } from "../../spec/mediaTypes.ts";
import { profileRows, type ProfileRow } from "../../spec/profile.ts";
import { profileCombinations, type Placed } from "../../spec/profileCombinations.ts";
import { follow, reportOn } from "../nodes.ts";

/** The names of Redocly's types that differ from those of the specification by more than spaces. */
const typeNames: Readonly<Record<string, string>> = {
  OpenAPI: "Root",
  Content: "MediaTypesMap",
  "OAuth Flows": "OAuth2Flows",
  Properties: "SchemaProperties",
  Schemas: "NamedSchemas",
};

export function typeOfObject(object: string): string {
  return typeNames[object] ?? object.replaceAll(" ", "");
}

/** A use of something that isn't supported. */
interface Use {
  readonly name: string;
  readonly instead: string;
  readonly isRefused: boolean;
  readonly keys: readonly string[];
}

/**
 * Reports each use of what the profile of OpenAPI says no to, with what to write instead. With the option `counted`, for
 * other people's descriptions, only what must be refused, and the first use of everything else with the number of uses.
 */
export const profile: Oas3Rule = ({ counted }) => {
  const uses = new Map<string, Location[]>();
  const visit = (node: unknown, ctx: UserContext) => {
    for (const { name, instead, isRefused, keys } of usesIn(node, ctx)) {
      const location = ctx.location.child([...keys]);
      const isCounted = counted === true && !isRefused;
      if (isCounted) uses.set(name, [...(uses.get(name) ?? []), location]);
      else {
        const { source, pointer } = location;
        const message = `${name}: not supported. Instead, ${instead}.`;
        ctx.report({ message, location: { source, pointer, reportOnKey: true }, forceSeverity: "error" });
      }
    }
  };
  return {
    any: { enter: visit },
    ref(reference: OasRef, ctx: UserContext) {
      // Redocly visits only its target.
      if (ctx.type.name === "Schema") visit(ctx.specVersion === "oas3_0" ? { $ref: reference.$ref } : reference, ctx);
    },
    Root: {
      leave(_: unknown, ctx: UserContext) {
        for (const [name, [first, ...others]] of uses) {
          const places = countOf(others.length + 1, "place");
          if (first) reportOn(first, `${name}: shown at most, not checked (${places}).`, ctx);
        }
      },
    },
  };
};

/** The rows and the combinations by the names of Redocly's types. */
const rowsByType = Map.groupBy(profileRows, ({ object }) => typeOfObject(object));
const fieldsWithNo = new Set(profileRows.flatMap(({ fields, verdict }) => (verdict === "no" ? fields : [])));
const combinationsByType = Map.groupBy(
  profileCombinations.flatMap((combination) =>
    combination.objects.map((object) => ({ type: typeOfObject(object), combination })),
  ),
  ({ type }) => type,
);

function usesIn(node: unknown, ctx: UserContext): readonly Use[] {
  if (!isObject(node)) return [];
  const { name: type, properties } = ctx.type;
  const isMap = Object.keys(properties).length === 0;
  const rows = rowsByType.get(type) ?? [];
  const doubtful = rows.length === 0 ? [] : Object.keys(node).filter((field) => isMap || fieldsWithNo.has(field));
  const ofFields = doubtful.flatMap((field): readonly Use[] => {
    const value = node[field];
    // An older version of OpenAPI lacks the field, which is reported as unknown.
    const row = isMap || field in properties ? rows.find((one) => isAbout(one, field, value, isMap)) : undefined;
    return row?.verdict === "no" ? [useOf(row, field, value)] : [];
  });
  const combined = (combinationsByType.get(type) ?? []).flatMap(({ combination }) =>
    combination
      .places(placedAt(node, ctx.location, ctx))
      .map((keys): Use => ({ ...combination, isRefused: false, keys })),
  );
  return [...ofFields, ...combined];
}

/** Whether a row is about a field with a value. The keys of a map are names. */
function isAbout({ fields, values }: ProfileRow, field: string, value: unknown, isMap: boolean): boolean {
  const isNamed =
    fields.includes(field) || (isMap && (fields.length === 0 || fields.some((one) => isOfType(field, one))));
  const given = typeof value === "string" ? value.toLowerCase() : value;
  return isNamed && (values === undefined || values.some((one) => one === value || one === given));
}

/** Whether a media type is another one, or in a range, or has a suffix such as `+json`. */
function isOfType(mediaType: string, declared: string): boolean {
  const essence = essenceOf(mediaType);
  return fallsUnder(essence, declared) || (declared.startsWith("+") && essence.endsWith(declared));
}

function useOf({ object, fields, instead = "", isRefused = false }: ProfileRow, field: string, value: unknown): Use {
  const hasValues = profileRows.some((row) => row.object === object && row.fields.includes(field) && row.values);
  const construct = fields.length === 0 ? String(value) : hasValues ? `${field}: ${String(value)}` : field;
  return { name: `${object} \`${construct}\``, instead, isRefused, keys: [field] };
}

/** An object with the references in it followed. */
function placedAt(node: unknown, location: Location, ctx: UserContext, written = node): Placed {
  const at = (...keys: readonly string[]): Placed => {
    const [key, ...others] = keys;
    if (key === undefined) return placedAt(node, location, ctx, written);
    const member = valueAt(node, [key]);
    const place = location.child(key);
    const target = follow(member, place, ctx);
    return placedAt(target?.node ?? member, target?.location ?? place, ctx, member).at(...others);
  };
  return { written, value: node, at };
}
