import { listGaps, type GapPlace } from "../../contract/gaps.ts";
import type { Generation, Group, Operation } from "../../contract/generation.ts";
import { pointerKeys, valueAt } from "../../values/json.ts";
import { compareText } from "../../values/text.ts";
import { groupBy } from "../../values/collections.ts";
import { flattenFields, ownAnchor } from "./fields.ts";
import type { GenerationModel } from "./generationModel.ts";
import { operationAnchors } from "./operationModel.ts";
import { groupPageLink, operationAddress, readAddresses, schemaAddress, schemeAddress } from "./addresses.ts";

/** A gap. */
export interface UnspecifiedEntry {
  readonly section: string;
  /** The place in words: `Team.name`, `parameter limit`, `GET /teams`. */
  readonly place: string;
  readonly gap: string;
  /** The gap without details, such as `unit` for `unit of the duration`. */
  readonly kind: string;
  /** The place on the site, relative to the root. `undefined` if no page shows it. */
  readonly path: string | undefined;
  readonly uses: readonly EntryUse[];
  readonly groups: readonly Group[];
}

/** An affected operation, with the id of the place on its page. */
export interface EntryUse {
  readonly operation: Operation;
  readonly anchor: string;
}

/** The id of a generation's own gaps on its page. */
export const generationAnchor = "not-specified";

/** Lists all gaps of a generation, with the places of its pages that mention them. */
export function listUnspecified(content: GenerationModel): readonly UnspecifiedEntry[] {
  const order = [...new Set(Object.values(sections)), otherSection];
  const ofPlaces = placeEntries(content).toSorted((a, b) => order.indexOf(a.section) - order.indexOf(b.section));
  return [
    ...generalEntries(content.generation),
    ...groupEntries(content.generation),
    ...schemeEntries(content),
    ...ofPlaces,
  ];
}

/** The fields that the entries of a place share. */
type EntryPlace = Omit<UnspecifiedEntry, "gap" | "kind">;

function entriesOf(gaps: readonly string[], place: EntryPlace): readonly UnspecifiedEntry[] {
  return gaps.map((gap) => ({ ...place, gap, kind: kindOf(gap) }));
}

/** A gap up to `of` or `for`. */
function kindOf(gap: string): string {
  const [beforeOf = ""] = gap.split(" of ");
  const [kind = ""] = beforeOf.split(" for ");
  return kind;
}

/** The gaps of the generation as a whole, each about another subject. */
function generalEntries(generation: Generation): readonly UnspecifiedEntry[] {
  const path = `${readAddresses(generation).generation}#${generationAnchor}`;
  const place = { section: "In general", place: generation.name, path, uses: [], groups: [] };
  return entriesOf(generation.unspecified, place).map((entry) => ({ ...entry, kind: "in general" }));
}

function groupEntries(generation: Generation): readonly UnspecifiedEntry[] {
  return generation.groups.flatMap((group) => {
    const { title: place, path } = groupPageLink(generation, group);
    return entriesOf(group.unspecified, { section: "Groups", place, path, uses: [], groups: [group] });
  });
}

function schemeEntries({ generation, operations }: GenerationModel): readonly UnspecifiedEntry[] {
  return [...generation.securitySchemes.values()].flatMap((scheme) => {
    const { name: place, unspecified } = scheme;
    const uses = [...operations]
      .filter(([, { credentials }]) => credentials.alternatives.flat().includes(scheme))
      .map(([operation]) => ({ operation, anchor: operationAnchors.credentials }));
    const path = schemeAddress(generation, place);
    return entriesOf(unspecified, {
      section: "Security schemes",
      place,
      path,
      uses,
      groups: groupsOf(generation, uses),
    });
  });
}

/** The gaps of all places without separate entries. */
function placeEntries(content: GenerationModel): readonly UnspecifiedEntry[] {
  const usesOf = usesByGap(content);
  const places = listGaps(content.generation.document).filter(({ pointer }) => !hasOwnEntries(pointer));
  return places
    .sort((a, b) => compareText(a.pointer, b.pointer))
    .flatMap((at) => at.gaps.flatMap((gap) => entriesOf([gap], entryPlace(content, at, usesOf(at, gap)))));
}

function hasOwnEntries(pointer: string): boolean {
  const [root, kind] = pointerKeys(pointer);
  return root === "info" || root === "tags" || (root === "components" && kind === "securitySchemes");
}

const sections: Readonly<Record<string, string>> = {
  paths: "Operations",
  webhooks: "Webhooks",
  schemas: "Schemas",
  responses: "Responses",
  parameters: "Parameters",
  headers: "Headers",
  requestBodies: "Request bodies",
  pathItems: "Operations",
};
const otherSection = "Elsewhere";

function entryPlace(content: GenerationModel, at: GapPlace, uses: readonly EntryUse[]): EntryPlace {
  const { generation } = content;
  const [root = "", kind = ""] = pointerKeys(at.pointer);
  const [first] = uses;
  return {
    section: sections[root === "components" ? kind : root] ?? otherSection,
    place: at.place === "" ? (first?.operation.name ?? at.pointer) : at.place,
    path: pathInSchema(content, at) ?? (first && `${operationAddress(generation, first.operation)}#${first.anchor}`),
    uses,
    groups: groupsOf(generation, uses),
  };
}

function pathInSchema({ generation, schemas }: GenerationModel, { pointer }: GapPlace): string | undefined {
  const keys = pointerKeys(pointer);
  const [root, kind, name = ""] = keys;
  const schema = root === "components" && kind === "schemas" ? schemas.get(name) : undefined;
  if (schema === undefined) return undefined;
  const source = valueAt(generation.document, keys);
  const field = flattenFields([schema.field]).find(({ sources }) => sources.some((one) => one === source));
  return `${schemaAddress(generation, name)}#${ownAnchor(field ?? schema.field)}`;
}

/**
 * Creates a function that finds the operations that a gap affects, each with the first place on its page that
 * mentions it.
 */
function usesByGap({ generation, operations }: GenerationModel) {
  const found = [...operations].flatMap(([operation, { unspecified }]) => {
    const uses = new Map<unknown, EntryUse>();
    for (const { anchor, place, gaps, sources } of unspecified.toReversed()) {
      const own = place === "" ? gaps.map((gap) => `${operation.pointer} ${gap}`) : [];
      for (const key of [...own, ...sources]) uses.set(key, { operation, anchor });
    }
    return [...uses];
  });
  const byKey = groupBy(found, ([key]) => key);
  return ({ pointer }: GapPlace, gap: string): readonly EntryUse[] => {
    const uses = byKey.get(`${pointer} ${gap}`) ?? byKey.get(valueAt(generation.document, pointerKeys(pointer)));
    return uses?.map(([, use]) => use) ?? [];
  };
}

function groupsOf({ groups }: Generation, uses: readonly EntryUse[]): readonly Group[] {
  return groups.filter(({ name }) => uses.some(({ operation }) => operation.group === name));
}
