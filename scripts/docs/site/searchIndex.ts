import type { TextFile } from "../../command/files.ts";
import { resolveSchema } from "../../spec/references.ts";
import type { Generation, Operation } from "../../contract/generation.ts";
import { firstSentence } from "../../contract/text.ts";
import type { Addresses } from "../model/addresses.ts";
import { hashedFile } from "./assets.ts";
import type { SearchEntry, SearchIndex, SearchKind } from "../browser/findPages.ts";
import { schemaField, type Field } from "../model/fields.ts";
import { readOperationContent } from "../model/operationContent.ts";

/** A page that belongs to no generation. */
export interface SearchablePage {
  readonly kind: Extract<SearchKind, "guide" | "page">;
  readonly title: string;
  /** Relative to the site's root. */
  readonly path: string;
  /** What else it can be found by: what it is about, in plain text. */
  readonly text: string;
}

/** The names of a component, or of an operation apart from those of the components that it uses. */
interface Vocabulary {
  readonly names: Set<string>;
  readonly schemas: Set<string>;
}

/** The file in which the search finds the site's pages: a script, which browsers load from `file://` too. */
export function searchIndexFile(index: SearchIndex): TextFile {
  return hashedFile("assets/search-index", "js", `window.docsSearchIndex=${JSON.stringify(index)};\n`);
}

/** What the search knows of the pages of all generations and of those beside them. */
export function readSearchIndex(
  generations: readonly Generation[],
  addresses: ReadonlyMap<Generation, Addresses>,
  pages: readonly SearchablePage[],
): SearchIndex {
  const positions = new Map<string, number>();
  const positionOf = (name: string) => {
    const position = positions.get(name) ?? positions.size;
    positions.set(name, position);
    return position;
  };
  const entries: SearchEntry[] = [];
  for (const generation of generations) {
    const own = addresses.get(generation);
    if (own === undefined) throw new Error(`${generation.name} has no addresses`);
    entries.push(...readEntries(generation, own, entries.length, (names) => [...names].map(positionOf)));
  }
  return {
    generations: generations.map(({ name }) => name),
    entries: [...entries, ...pages],
    names: [...positions.keys()],
  };
}

/** The entries of a generation, of which the first will be at a position of the index. */
function readEntries(
  generation: Generation,
  addresses: Addresses,
  start: number,
  positionsOf: (names: Iterable<string>) => readonly number[],
): readonly SearchEntry[] {
  const { name, document } = generation;
  const components = [...addresses.schemas.keys()];
  const schemaPositions = new Map(components.map((component, at) => [component, start + at]));
  const groupTitles = new Map(generation.groups.map((group) => [group.name, group.title]));
  const schemas = components.map((component): SearchEntry => {
    const schema = resolveSchema(document, document.components?.schemas?.[component] ?? {});
    const { names } = readVocabulary([schemaField(schema, "", { ...schemaOptions, document })]);
    return {
      kind: "schema",
      title: component,
      path: addresses.schemas.get(component) ?? "",
      text: firstSentence(schema.description ?? ""),
      generation: name,
      names: positionsOf(names),
    };
  });
  const operationEntry = (kind: SearchKind, operation: Operation): SearchEntry => {
    const { names, schemas } = operationVocabulary(generation, operation);
    return {
      kind,
      title: operation.title,
      path: addresses.operations.get(operation) ?? "",
      text: firstSentence(operation.description),
      generation: name,
      group: groupTitles.get(operation.group) ?? operation.group,
      endpoint: operation.name,
      operationId: operation.operationId,
      names: positionsOf(names),
      schemas: [...schemas].flatMap((component) => schemaPositions.get(component) ?? []),
    };
  };
  return [
    ...schemas,
    ...generation.operations.map((operation) => operationEntry("operation", operation)),
    ...generation.webhooks.map((webhook) => operationEntry("webhook", webhook)),
    ...generation.groups.map((group): SearchEntry => {
      const text = firstSentence(group.description);
      return { kind: "group", title: group.title, path: addresses.groups.get(group) ?? "", text, generation: name };
    }),
    {
      kind: "generation",
      title: generation.title,
      path: addresses.generation,
      text: generation.summary,
      generation: name,
    },
  ];
}

/** Anchors are of no use here, and names are the same in both directions. */
const schemaOptions = { direction: "response", anchor: "" } as const;

function operationVocabulary(generation: Generation, operation: Operation): Vocabulary {
  const { parameters, requestBody, responses } = readOperationContent(generation, operation);
  const media = [...(requestBody?.media ?? []), ...responses.flatMap((response) => response.media)];
  const { names, schemas } = readVocabulary([
    ...parameters.flatMap(({ fields }) => fields),
    ...responses.flatMap(({ headers }) => headers),
    ...media.map(({ field }) => field),
  ]);
  const credentials = operation.security.flat().flatMap(({ name, parameter }) => [name, parameter]);
  return { names: new Set([...credentials, ...names]), schemas };
}

function readVocabulary(fields: readonly Field[]): Vocabulary {
  const vocabulary = { names: new Set<string>(), schemas: new Set<string>() };
  readNames(fields, vocabulary, false);
  return vocabulary;
}

/** Adds the components that fields refer to, and the names of the fields that are in no such component. */
function readNames(fields: readonly Field[], vocabulary: Vocabulary, isInComponent: boolean): void {
  for (const { name, type, fields: members, alternatives } of fields) {
    // Items, and properties whose keys are free, have no name of their own.
    if (!isInComponent && /[\p{L}\p{N}]/u.test(name) && !/^[[<]/.test(name)) vocabulary.names.add(name);
    const components = type.flatMap(({ schema }) => schema ?? []);
    for (const component of components) vocabulary.schemas.add(component);
    const isComponent = isInComponent || components.length > 0;
    readNames(members, vocabulary, isComponent && alternatives.length === 0);
    readNames(alternatives, vocabulary, isInComponent);
  }
}
