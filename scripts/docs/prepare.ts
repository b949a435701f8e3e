import type { Generation, Operation } from "../contract/generation.ts";
import { jsonPointer } from "../contract/jsonPointer.ts";
import { isDocument, isObject, stringsOf, type OpenApiDocument } from "../contract/openapi.ts";
import { mapObjects } from "../contract/gaps.ts";
import { groupSlugs, operationSlug } from "./addresses.ts";
import { samplesOf } from "./samples.ts";

type Node = Readonly<Record<string, unknown>>;

/**
 * The document as the renderer is to have it: with samples, and with notes in the descriptions on what is not
 * specified, on open enumerations, on secrets and on optional authentication. Tags are renamed to their slugs, and keep
 * their names for display, so that deep links follow from the contract and not from the renderer.
 * `module` is what the samples import the client from.
 */
export function prepareForDocs(generation: Generation, module: string): OpenApiDocument {
  const { document, groups, sections, operations } = generation;
  const slugs = groupSlugs(generation);
  const slugOfGroup = (name: string) => slugs.get(name) ?? name;
  const byPointer = new Map(operations.map((operation) => [pointerOf(operation), operation]));
  const prepared = mapObjects(document, (object, keys) => {
    if (keys.length === 0) {
      const tags = groups.map(({ name, description }) => ({
        name: slugOfGroup(name),
        "x-displayName": name,
        description,
      }));
      const tagGroups = sections.map((section) => ({
        name: section.name,
        tags: section.groups.map(({ name }) => slugOfGroup(name)),
      }));
      return { ...object, tags, ...("x-tagGroups" in object && { "x-tagGroups": tagGroups }) };
    }
    if (keys.length === 1) return keys[0] === "info" ? withSection(object) : object;
    const operation = byPointer.get(jsonPointer(keys));
    if (operation === undefined) return withNote(object, false);
    return {
      ...withNote(object, isOptional(operation)),
      operationId: operation.operationId ?? operationSlug(operation),
      tags: [slugOfGroup(operation.group)],
      "x-codeSamples": samplesOf(operation, module),
    };
  });
  if (!isDocument(prepared)) throw new Error("notes changed what a document is");
  return prepared;
}

function pointerOf({ path, method }: Operation): string {
  return jsonPointer(["paths", path, method]);
}

/** The document's own list is long: it gets a section of its own. */
function withSection(info: Node): Node {
  const phrases = stringsOf(info["x-unspecified"]);
  if (phrases.length === 0) return info;
  const section = `## Not specified\n\n${phrases.map((phrase) => `- ${phrase}`).join("\n")}`;
  return { ...info, description: joinParagraphs(info["description"], section) };
}

function withNote(node: Node, isOptionallyAuthenticated: boolean): Node {
  // A parameter speaks for its schema: the renderer shows only the parameter's description.
  const schema = "in" in node && isObject(node["schema"]) ? node["schema"] : {};
  const collect = (key: string) => [...stringsOf(node[key]), ...stringsOf(schema[key])];
  const phrases = collect("x-unspecified");
  const known = collect("x-extensible-enum");
  const isSecret = node["format"] === "password" || schema["format"] === "password";
  const notes = [
    ...(isOptionallyAuthenticated ? ["**Credentials are optional.**"] : []),
    ...(known.length > 0 ? [`**Known values:** ${known.map((value) => `\`${value}\``).join(", ")}.`] : []),
    ...(phrases.length > 0 ? [`**Not specified:** ${phrases.join(", ")}.`] : []),
  ];
  return {
    ...node,
    ...(notes.length > 0 && { description: joinParagraphs(node["description"], `> ${notes.join(" ")}`) }),
    ...(isSecret && { "x-badges": [{ name: "Secret", position: "after" }] }),
  };
}

function isOptional({ security }: Operation): boolean {
  return security.length > 1 && security.some((schemes) => schemes.length === 0);
}

function joinParagraphs(description: unknown, note: string): string {
  return typeof description === "string" && description !== "" ? `${description.trimEnd()}\n\n${note}` : note;
}
