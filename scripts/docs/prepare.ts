import { readGeneration, serverUrl, type Generation, type Operation } from "../contract/generation.ts";
import { jsonPointer } from "../contract/jsonPointer.ts";
import { isDocument, isObject, stringsOf, type OpenApiDocument } from "../contract/openapi.ts";
import { mapObjects } from "../contract/gaps.ts";
import { readResources } from "../contract/resources.ts";
import { groupSlugs, operationSlug } from "./addresses.ts";
import { mockNote } from "./mockNote.ts";
import { samplesOf } from "./samples/samples.ts";

type Node = Readonly<Record<string, unknown>>;

/**
 * The generation with notes in its descriptions: on what is not specified, on open enumerations, on secrets, on
 * optional authentication and on what operations do in the mock.
 */
export function annotate(generation: Generation): Generation {
  const { name, document, operations } = generation;
  const resources = readResources([generation]);
  const mockNotes = new Map(
    operations.map((operation) => [pointerOf(operation), mockNote(operation, resources.get(operation))]),
  );
  const optional = new Set(
    operations
      .filter(({ security }) => security.length > 1 && security.some((schemes) => schemes.length === 0))
      .map(pointerOf),
  );
  const annotated = mapObjects(document, (object, keys) => {
    if (keys.length < 2) return keys[0] === "info" ? withSection(object) : object;
    const pointer = jsonPointer(keys);
    return withNote(object, optional.has(pointer), mockNotes.get(pointer));
  });
  if (!isDocument(annotated)) throw new Error("notes changed what a document is");
  return readGeneration(name, annotated);
}

/**
 * An annotated generation's document as the renderer is to have it: with samples, which import the client from `module`.
 * Tags are renamed to their slugs, and keep their names for display, so that deep links follow from the contract and not
 * from the renderer.
 */
export function prepareForRenderer(generation: Generation, module: string): OpenApiDocument {
  const { document, groups, sections, operations } = generation;
  const slugs = groupSlugs(generation);
  const slugOfGroup = (name: string) => slugs.get(name) ?? name;
  const tagGroups = sections.map((section) => ({
    name: section.name,
    tags: section.groups.map(({ name }) => slugOfGroup(name)),
  }));
  const byPointer = new Map(operations.map((operation) => [pointerOf(operation), operation]));
  const prepared = mapObjects(document, (object, keys) => {
    const operation = byPointer.get(jsonPointer(keys));
    if (operation === undefined) return object;
    return {
      ...object,
      operationId: operation.operationId ?? operationSlug(operation),
      tags: [slugOfGroup(operation.group)],
      "x-codeSamples": rendererSamples(operation, module),
    };
  });
  const root = {
    ...(isObject(prepared) && prepared),
    tags: groups.map(({ name, description }) => ({ name: slugOfGroup(name), "x-displayName": name, description })),
    ...("x-tagGroups" in document && { "x-tagGroups": tagGroups }),
  };
  if (!isDocument(root)) throw new Error("samples changed what a document is");
  return root;
}

/** An operation's samples as the renderer takes them. */
export function rendererSamples(operation: Operation, module: string) {
  return samplesOf(operation, { module, server: serverUrl(operation) }).map(
    ({ highlight, label, example, source }) => ({
      lang: highlight,
      label: example === undefined ? label : `${label}: ${example}`,
      source,
    }),
  );
}

function pointerOf({ pathItemPointer, method }: Operation): string {
  return `${pathItemPointer}/${method}`;
}

/** The document's own list is long: it gets a section of its own. */
function withSection(info: Node): Node {
  const phrases = stringsOf(info["x-unspecified"]);
  if (phrases.length === 0) return info;
  const section = `## Not specified\n\n${phrases.map((phrase) => `- ${phrase}`).join("\n")}`;
  return { ...info, description: joinParagraphs(info["description"], section) };
}

function withNote(node: Node, isOptional: boolean, inMock: string | undefined): Node {
  // A parameter speaks for its schema: the renderer shows only the parameter's description.
  const schema = "in" in node && isObject(node["schema"]) ? node["schema"] : {};
  const collect = (key: string) => [...stringsOf(node[key]), ...stringsOf(schema[key])];
  const phrases = collect("x-unspecified");
  const known = collect("x-extensible-enum");
  const isSecret = node["format"] === "password" || schema["format"] === "password";
  const notes = [
    ...(isOptional && !phrases.includes("authentication") ? ["**Credentials are optional.**"] : []),
    ...(known.length > 0 ? [`**Known values:** ${known.map((value) => `\`${value}\``).join(", ")}.`] : []),
    ...(phrases.length > 0 ? [`**Not specified:** ${phrases.join(", ")}.`] : []),
  ];
  const paragraphs = [...(notes.length > 0 ? [`> ${notes.join(" ")}`] : []), ...(inMock === undefined ? [] : [inMock])];
  return {
    ...node,
    ...(paragraphs.length > 0 && { description: joinParagraphs(node["description"], paragraphs.join("\n\n")) }),
    ...(isSecret && { "x-badges": [{ name: "Secret", position: "after" }] }),
  };
}

function joinParagraphs(description: unknown, note: string): string {
  return typeof description === "string" && description !== "" ? `${description.trimEnd()}\n\n${note}` : note;
}
