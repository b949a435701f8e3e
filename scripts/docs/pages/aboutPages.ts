import type { Generation, Operation } from "../../contract/generation.ts";
import { credentialForm } from "../../contract/security.ts";
import { singleValuedHeaders } from "../../contract/singleValuedHeaders.ts";
import { groupBy } from "../../values/collections.ts";
import { typeText } from "../../spec/typeNames.ts";
import { schemaAddress, schemaPageLink } from "../model/addresses.ts";
import type { Field } from "../model/fields.ts";
import { commonParts, type GenerationModel, type SchemaModel } from "../model/generationModel.ts";
import type { Guide } from "../model/guides.ts";
import type { Site } from "../model/site.ts";
import { code, codes, joined, nameLink, row, section, subsection, table } from "../parts/blocks.ts";
import { describedSections } from "../parts/descriptionSections.ts";
import { unspecifiedMark } from "../parts/fieldList.ts";
import { operationLink, placeLinks } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import type { Flow, SectionNode, Table } from "../parts/pageNodes.ts";
import { readDescription } from "../parts/readDescription.ts";

/**
 * Adds the contract's facts to a guide about the API. They are derived for the guides in {@link factsOf}.
 * Sections with the same title in the generations' descriptions are added too.
 */
export function withFacts(site: Site, { slug }: Guide, page: Page): Page {
  const facts = factsOf[slug]?.(site.contents) ?? [];
  return { ...page, children: [...page.children, ...facts, ...describedSections(site, page)] };
}

type Facts = (contents: readonly GenerationModel[]) => readonly SectionNode[];

const factsOf: Readonly<Record<string, Facts>> = {
  generations: sideBySide,
  identifiers: listIdentifiers,
  paging: listPagedOperations,
  times: listTimes,
  versioning: listVersionHeaders,
};

/** On a phone, cells are stacked, and each has its title beside it. */
function labelledTable([first = "", ...titles]: readonly string[], rows: readonly Cells[]): Table {
  const labelled = rows.map(([heading = [], ...cells]) =>
    row(
      heading,
      cells.map((children, index) => ({ children, attributes: { "data-label": titles[index] ?? "" } })),
    ),
  );
  return table("stacked labelled", [first, ...titles], labelled);
}

/** The cells of a row. */
type Cells = readonly Flow[];

/** A section with a table for each generation, below the generation's name. */
interface TableSection {
  readonly anchor: string;
  readonly title: string;
  /** The titles of the columns. */
  readonly titles: readonly string[];
}

/** The same table for each generation that has rows. */
function tables(
  contents: readonly GenerationModel[],
  { anchor, title, titles }: TableSection,
  rowsOf: (content: GenerationModel) => readonly Cells[],
): readonly SectionNode[] {
  const parts = contents.flatMap((content) => {
    const { name } = content.generation;
    const rows = rowsOf(content);
    return rows.length === 0 ? [] : [subsection(3, name, [labelledTable(titles, rows)], `${anchor}-${name}`)];
  });
  return parts.length === 0 ? [] : [section(anchor, title, parts)];
}

function sideBySide(contents: readonly GenerationModel[]): readonly SectionNode[] {
  const generations = contents.map(({ generation }) => generation);
  const titles = ["", ...generations.map(({ name }) => name)];
  const row = (title: string, cellOf: (generation: Generation) => Flow) => [[title], ...generations.map(cellOf)];
  const overview = [
    row("Operations", ({ operations }) => [`${operations.length}`]),
    row("Prefix of the paths", ({ operations }) => [code(commonPrefix(operations))]),
    row("Version of the description", ({ document }) => [code(document.info?.version ?? "")]),
    row("Credentials", credentialList),
  ];
  return [
    section("compared", "Side by side", [labelledTable(titles, overview)]),
    section("operations", "Operations by group", [operationsByGroup(generations, titles)]),
    ...sharedSchemas(contents),
  ];
}

/** The folders at the beginning of all operations' paths. */
function commonPrefix(operations: readonly Operation[]): string {
  return commonParts(operations.map(({ path }) => path.split("/").slice(0, -1))).join("/") || "/";
}

function credentialList({ securitySchemes }: Generation): Flow {
  const sent = [...securitySchemes.values()].map((scheme): Flow => {
    const { in: place, parameter } = scheme;
    if (place === "connection") return ["a client certificate"];
    const form = place === "query" ? `${parameter}=<${scheme.name}>` : `${parameter}: ${credentialForm(scheme)}`;
    return [code(form), ` in the ${place}`];
  });
  return joined(sent, "; ");
}

function operationsByGroup(generations: readonly Generation[], titles: readonly string[]): Table {
  const groups = generations.flatMap((generation) => generation.groups.map((group) => ({ generation, group })));
  const filled = groups.filter(({ group }) => group.operations.length > 0);
  const rows = [...groupBy(filled, ({ group }) => group.title)].map(([title, own]): Cells => {
    const cells = generations.map((generation): Flow => {
      const { group } = own.find((one) => one.generation === generation) ?? {};
      const operations = group?.operations ?? [];
      if (operations.length === 0) return ["–"];
      return joined(
        operations.map((operation) => operationLink(generation, operation)),
        { kind: "break" },
      );
    });
    return [[title], ...cells];
  });
  return labelledTable(titles, rows);
}

/** The fields of schemas with the same name in several generations. */
function sharedSchemas(contents: readonly GenerationModel[]): readonly SectionNode[] {
  const [newest, ...older] = contents;
  if (newest === undefined) return [];
  const parts = older.flatMap((other) => {
    const rows = [...newest.schemas].flatMap(([name, schema]): readonly Cells[] => {
      const earlier = other.schemas.get(name);
      return earlier === undefined ? [] : [[[schemaLink(newest, schema)], ...comparedFields(schema, earlier)]];
    });
    const [a, b] = [newest.generation.name, other.generation.name];
    const titles = ["Schema", "In both", `Only in ${a}`, `Only in ${b}`];
    return rows.length === 0 ? [] : [labelledTable(titles, rows)];
  });
  return parts.length === 0 ? [] : [section("schemas", "Schemas of the same name", parts)];
}

function comparedFields(a: SchemaModel, b: SchemaModel): Cells {
  const namesOf = ({ field }: SchemaModel) => field.fields.map(({ name }) => name);
  const [own, others] = [namesOf(a), namesOf(b)];
  const lists = [
    own.filter((name) => others.includes(name)),
    own.filter((name) => !others.includes(name)),
    others.filter((name) => !own.includes(name)),
  ];
  return lists.map((names) => (names.length === 0 ? ["–"] : codes(names, ", ")));
}

function schemaLink({ generation }: GenerationModel, { name }: SchemaModel) {
  return nameLink(schemaPageLink(generation, name));
}

function listPagedOperations(contents: readonly GenerationModel[]): readonly SectionNode[] {
  const titles = ["Operation", "Page size", "Offset"];
  const heading = { anchor: "operations", title: "Paged lists", titles };
  return tables(contents, heading, ({ generation, operations }) =>
    generation.operations.flatMap((operation): readonly Cells[] => {
      const { pagination } = operation;
      if (pagination === undefined) return [];
      const fields = operations.get(operation)?.parameters.flatMap((place) => place.fields) ?? [];
      const cellOf = (name: string): Flow => [
        code(name),
        ...unspecifiedMark(fields.find((field) => field.name === name)?.unspecified ?? []),
      ];
      return [[operationLink(generation, operation), cellOf(pagination.limit), cellOf(pagination.offset)]];
    }),
  );
}

function listVersionHeaders(contents: readonly GenerationModel[]): readonly SectionNode[] {
  const titles = ["Operation", "Header", "Value"];
  return tables(contents, { anchor: "headers", title: "Operations with a fixed version", titles }, ({ generation }) =>
    generation.operations.flatMap((operation) => {
      const own = singleValuedHeaders(operation).filter(([name]) =>
        operation.parameters.some((parameter) => parameter.name === name),
      );
      return own.map(([name, value]): Cells => [operationLink(generation, operation), [code(name)], [code(value)]]);
    }),
  );
}

function listIdentifiers(contents: readonly GenerationModel[]): readonly SectionNode[] {
  const titles = ["Parameter", "Type", "Operations"];
  const heading = { anchor: "parameters", title: "Path parameters", titles };
  return tables(contents, heading, ({ generation, operations }) => {
    const uses = generation.operations.flatMap((operation) => {
      const places = operations.get(operation)?.parameters.filter((place) => place.in === "path") ?? [];
      return places.flatMap(({ fields }) => fields.map((field) => ({ operation, anchor: field.anchor, field })));
    });
    const same = groupBy(uses, ({ field }) => [field.name, typeText(field.type), ...field.unspecified].join("\n"));
    return [...same.values()].flatMap((own): readonly Cells[] => {
      const [{ field } = { field: undefined }] = own;
      if (field === undefined) return [];
      const type: Flow = [typeText(field.type), ...unspecifiedMark(field.unspecified)];
      return [[[code(field.name)], type, placeLinks(generation, own)]];
    });
  });
}

const timeFormats = new Set(["date-time", "date", "time", "duration"]);

/** The fields of schemas that are times, and those that are numbers with an unspecified unit. */
function listTimes(contents: readonly GenerationModel[]): readonly SectionNode[] {
  const titles = ["Field", "Type", "Description"];
  const heading = { anchor: "fields", title: "Times, and numbers without a unit", titles };
  return tables(contents, heading, (content) =>
    [...content.schemas.values()].flatMap((schema) =>
      ownFields(schema.field, schema.name)
        .filter(({ field }) => isTime(field))
        .map(({ name, field }): Cells => {
          const path = `${schemaAddress(content.generation, schema.name)}#${field.anchor}`;
          const gaps = unspecifiedMark(field.unspecified);
          return [
            [nameLink({ title: name, path })],
            [typeText(field.type)],
            [...readDescription(field.description, 3), ...gaps],
          ];
        }),
    ),
  );
}

function isTime({ type, unspecified }: Field): boolean {
  return (
    type.some(({ format = "" }) => timeFormats.has(format)) ||
    unspecified.some((gap) => gap.split(" ", 1).includes("unit"))
  );
}

/** The fields within a value, by path, without those of other schemas. */
function ownFields(
  { type, fields, alternatives }: Field,
  around: string,
): readonly { readonly name: string; readonly field: Field }[] {
  if (type.some(({ schema }) => schema !== undefined)) return [];
  return [...alternatives, ...fields].flatMap((field) => {
    const name = field.name.startsWith("[") ? around + field.name : `${around}.${field.name}`;
    return [{ name, field }, ...ownFields(field, name)];
  });
}
