import type { TextFile } from "../../command/files.ts";
import type { Generation, Operation } from "../../contract/generation.ts";
import { firstSentence } from "../../contract/text.ts";
import type { Addresses } from "../model/addresses.ts";
import { hashedFile } from "./assets.ts";
import type { SearchEntry, SearchIndex, SearchKind } from "../browser/findPages.ts";
import type { Field } from "../model/fields.ts";
import type { OperationModel } from "../model/operationModel.ts";
import type { GenerationModel } from "../model/generationModel.ts";

/** A page that belongs to no generation. */
export type SearchablePage = Pick<SearchEntry, "kind" | "title" | "path" | "text">;

/** The file in which the search finds the site's pages: a script, which browsers load from `file://` too. */
export function searchIndexFile(index: SearchIndex): TextFile {
  return hashedFile("assets/search-index", "js", `window.docsSearchIndex=${JSON.stringify(index)};\n`);
}

/** Makes the search's index of the pages of all generations and of those beside them. */
export function readSearchIndex(
  contents: readonly GenerationModel[],
  addresses: ReadonlyMap<Generation, Addresses>,
  pages: readonly SearchablePage[],
): SearchIndex {
  const positions = new Map<string, number>();
  const positionsOf = (names: Iterable<string>) =>
    [...names].map((name) => {
      const position = positions.get(name) ?? positions.size;
      positions.set(name, position);
      return position;
    });
  const entries: SearchEntry[] = [];
  for (const content of contents) {
    const own = addresses.get(content.generation);
    if (own === undefined) throw new Error(`${content.generation.name} has no addresses`);
    entries.push(...readEntries(content, own, entries.length, positionsOf));
  }
  return {
    generations: contents.map(({ generation }) => generation.name),
    entries: [...entries, ...pages],
    names: [...positions.keys()],
  };
}

/** The entries of a generation, of which the first will be at a position of the index. */
function readEntries(
  { generation, operations, schemas }: GenerationModel,
  addresses: Addresses,
  start: number,
  positionsOf: (names: Iterable<string>) => readonly number[],
): readonly SearchEntry[] {
  const { name } = generation;
  const schemaPositions = new Map([...schemas.keys()].map((component, at) => [component, start + at]));
  const groupTitles = new Map(generation.groups.map((group) => [group.name, group.title]));
  const operationEntry = (kind: SearchKind, operation: Operation): SearchEntry => {
    const vocabulary = operationVocabulary(operation, operations.get(operation));
    return {
      kind,
      title: operation.title,
      path: addresses.operations.get(operation) ?? "",
      text: firstSentence(operation.description),
      generation: name,
      group: groupTitles.get(operation.group) ?? operation.group,
      endpoint: operation.name,
      operationId: operation.operationId,
      names: positionsOf(vocabulary.names),
      schemas: [...vocabulary.schemas].flatMap((component) => schemaPositions.get(component) ?? []),
    };
  };
  const { title, summary } = generation;
  return [
    ...[...schemas.values()].map(({ name: component, schema, field }): SearchEntry => ({
      kind: "schema",
      title: component,
      path: addresses.schemas.get(component) ?? "",
      text: firstSentence(schema.description ?? ""),
      generation: name,
      names: positionsOf(readVocabulary([field]).names),
    })),
    ...generation.operations.map((operation) => operationEntry("operation", operation)),
    ...generation.webhooks.map((webhook) => operationEntry("webhook", webhook)),
    ...generation.groups.map((group): SearchEntry => {
      const text = firstSentence(group.description);
      return { kind: "group", title: group.title, path: addresses.groups.get(group) ?? "", text, generation: name };
    }),
    { kind: "generation", title, path: addresses.generation, text: summary, generation: name },
  ];
}

/** The names of an operation, apart from those of the components that it uses. */
function operationVocabulary({ security }: Operation, content: OperationModel | undefined): Vocabulary {
  const { parameters = [], requestBody, responses = [] } = content ?? {};
  const media = [...(requestBody?.media ?? []), ...responses.flatMap((response) => response.media)];
  const credentials = security.flat().flatMap(({ name, parameter }) => [name, parameter]);
  return readVocabulary(
    [
      ...parameters.flatMap(({ fields }) => fields),
      ...responses.flatMap(({ headers }) => headers),
      ...media.map(({ field }) => field),
    ],
    credentials,
  );
}

type Vocabulary = ReturnType<typeof readVocabulary>;

/** The components that fields refer to, and the names of the fields that are in no such component. */
function readVocabulary(all: readonly Field[], credentials: readonly string[] = []) {
  const [names, schemas] = [new Set(credentials), new Set<string>()];
  const add = (fields: readonly Field[], isInComponent: boolean) => {
    for (const { name, type, fields: members, alternatives } of fields) {
      // Items, and properties whose keys are free, have no name of their own.
      if (!isInComponent && /[\p{L}\p{N}]/u.test(name) && !/^[[<]/.test(name)) names.add(name);
      const components = type.flatMap(({ schema }) => schema ?? []);
      for (const component of components) schemas.add(component);
      add(members, (isInComponent || components.length > 0) && alternatives.length === 0);
      add(alternatives, isInComponent);
    }
  };
  add(all, false);
  return { names, schemas };
}
