import { listGaps, type Gap } from "../../contract/gaps.ts";
import type { Generation, Group, Operation } from "../../contract/generation.ts";
import { pointerKeys, valueAt } from "../../spec/jsonPointer.ts";
import { compareText } from "../../contract/text.ts";
import { flattenFields, ownAnchor } from "./fields.ts";
import type { GenerationContent } from "./generationContent.ts";
import { addressesOf, authenticationPath, type Site } from "./site.ts";

/** One thing that is not specified. */
export interface UnspecifiedEntry {
  /** The kind of object that has it: `Schemas`. */
  readonly section: string;
  /** The place for people: `Team.name`, `parameter limit`, `GET /teams`; the generation's name for it as a whole. */
  readonly place: string;
  readonly phrase: string;
  /** What the phrase is about, without the details: `unit` of `unit of the duration`. */
  readonly kind: string;
  /** Where it is on the site, relative to the site's root; `undefined` if no page shows it. */
  readonly path: string | undefined;
  /** The operations concerned, each with the id of the place on its page. */
  readonly uses: readonly EntryUse[];
  /** The groups concerned. */
  readonly groups: readonly Group[];
}

interface EntryUse {
  readonly operation: Operation;
  readonly anchor: string;
}

/** The id of what is not specified of a whole generation, on its page. */
export const generationAnchor = "not-specified";

/** The kind of what is not specified of a whole generation, where each phrase speaks of something else. */
const generalKind = "in general";

/** Lists everything that is not specified in a generation, with the places where its pages say so. */
export function listUnspecified(site: Site, content: GenerationContent): readonly UnspecifiedEntry[] {
  const { generation } = content;
  const { name, document, unspecified, groups, securitySchemes } = generation;
  const addresses = addressesOf(site, generation);
  const general = unspecified.map((phrase) => ({
    ...{ section: "In general", place: name, phrase, kind: generalKind, uses: [], groups: [] },
    path: `${addresses.generation}#${generationAnchor}`,
  }));
  const ofGroups = groups.flatMap((group) =>
    group.unspecified.map((phrase) => ({
      ...{ section: "Groups", place: group.title, phrase, kind: kindOf(phrase), uses: [], groups: [group] },
      path: addresses.groups.get(group),
    })),
  );
  const ofSchemes = [...securitySchemes.values()].flatMap(({ name: scheme, unspecified: phrases }) => {
    const uses = [...content.operations].flatMap(([operation, { unspecified: places }]) =>
      places.filter(({ place, sources }) => place === scheme && sources.length === 0).map(useBy(operation)),
    );
    return phrases.map((phrase) => ({
      ...{ section: "Security schemes", place: scheme, phrase, kind: kindOf(phrase), uses },
      path: `${authenticationPath}#${name}-${scheme}`,
      groups: groupsOf(generation, uses),
    }));
  });
  const own = /^\/(?:info|tags|components\/securitySchemes)(?:\/|$)/;
  const usesOf = usesByGap(content);
  const others = listGaps(document)
    .filter(({ pointer }) => !own.test(pointer))
    .sort((a, b) => compareText(a.pointer, b.pointer))
    .flatMap((gap) => gap.phrases.map((phrase) => entryOf(site, content, gap, phrase, usesOf(gap, phrase))));
  return [...general, ...ofGroups, ...ofSchemes, ...sortBySection(others)];
}

/** The sections of what operations are described by. */
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

function entryOf(
  site: Site,
  content: GenerationContent,
  gap: Gap,
  phrase: string,
  uses: readonly EntryUse[],
): UnspecifiedEntry {
  const { generation } = content;
  const [root = "", kind = "", name = ""] = pointerKeys(gap.pointer);
  const [first] = uses;
  const schemaPath =
    root === "components" && kind === "schemas" ? pathInSchema(site, content, name, gap.pointer) : undefined;
  const { operations } = addressesOf(site, generation);
  return {
    section: sections[root === "components" ? kind : root] ?? otherSection,
    place: gap.place === "" ? (first?.operation.name ?? gap.pointer) : gap.place,
    phrase,
    kind: kindOf(phrase),
    path: schemaPath ?? (first && `${operations.get(first.operation) ?? ""}#${first.anchor}`),
    uses,
    groups: groupsOf(generation, uses),
  };
}

function pathInSchema(
  site: Site,
  { generation, schemas }: GenerationContent,
  name: string,
  pointer: string,
): string | undefined {
  const path = addressesOf(site, generation).schemas.get(name);
  const schema = schemas.get(name);
  const source = valueAt(generation.document, pointerKeys(pointer));
  if (path === undefined || schema === undefined) return undefined;
  const field = flattenFields([schema.field]).find(({ sources }) => sources.some((one) => one === source));
  return `${path}#${ownAnchor(field ?? schema.field)}`;
}

/** What finds the operations that a gap concerns. */
function usesByGap({ generation, operations }: GenerationContent) {
  const bySource = new Map<unknown, EntryUse[]>();
  const own = new Map<string, EntryUse[]>();
  for (const [operation, { unspecified }] of operations) {
    const { pathItemPointer, method } = operation;
    const seen = new Set<object>();
    for (const place of unspecified) {
      const use = useBy(operation)(place);
      if (place.place === "" && place.sources.length === 0) {
        for (const phrase of place.phrases) append(own, `${pathItemPointer}/${method} ${phrase}`, use);
      }
      for (const source of place.sources) if (!seen.has(source)) append(bySource, source, use);
      for (const source of place.sources) seen.add(source);
    }
  }
  return ({ pointer }: Gap, phrase: string): readonly EntryUse[] =>
    own.get(`${pointer} ${phrase}`) ?? bySource.get(valueAt(generation.document, pointerKeys(pointer))) ?? [];
}

function append<Key>(lists: Map<Key, EntryUse[]>, key: Key, use: EntryUse): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [use]);
  else list.push(use);
}

function useBy(operation: Operation): (place: { readonly anchor: string }) => EntryUse {
  return ({ anchor }) => ({ operation, anchor });
}

function groupsOf({ groups }: Generation, uses: readonly EntryUse[]): readonly Group[] {
  const names = new Set(uses.map(({ operation }) => operation.group));
  return groups.filter(({ name }) => names.has(name));
}

function sortBySection(entries: readonly UnspecifiedEntry[]): readonly UnspecifiedEntry[] {
  const order = [...new Set(Object.values(sections)), otherSection];
  return entries.toSorted((a, b) => order.indexOf(a.section) - order.indexOf(b.section));
}

function kindOf(phrase: string): string {
  return phrase.split(/ (?:of|for) /)[0] ?? phrase;
}
