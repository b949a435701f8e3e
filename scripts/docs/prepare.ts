import { isDocument, isObject, type Document, type Operation } from "../contract/document.ts";
import { knownValuesOf, partsOf, unspecifiedOf } from "./descriptionTree.ts";
import { listGroups, operationSlug, readTagGroups } from "./groups.ts";
import { samplesOf } from "./samples/samples.ts";

/** Marks an operation on the way to its notes. */
const optionalAuthentication = "x-optional-authentication";

type Node = Readonly<Record<string, unknown>>;

/**
 * The document as the renderer is to have it: with samples, and with notes in the descriptions on what is not
 * specified, on open enumerations, on secrets and on optional authentication. Tags are renamed to their slugs, and keep
 * their names for display, so that deep links follow from the contract and not from the renderer.
 * `module` is what the samples import the client from.
 */
export function prepareForDocs(document: Document, module: string): Document {
  const prepared = withNotes(withSamples(document, module), false);
  const root = isObject(prepared) ? withInfoNote(withSlugs(document, prepared)) : prepared;
  if (!isDocument(root)) throw new Error("notes changed what a document is");
  return root;
}

function withSamples(document: Document, module: string): Document {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, pathItem] of Object.entries(document.paths ?? {})) paths[path] = { ...pathItem };
  for (const { slug, operations } of listGroups(document)) {
    for (const entry of operations) {
      const pathItem = (paths[entry.path] ??= {});
      pathItem[entry.method] = {
        ...entry.operation,
        operationId: entry.operation.operationId ?? operationSlug(entry),
        tags: [slug],
        "x-codeSamples": [...samplesOf(document, entry, module)],
        ...(isAuthenticationOptional(document, entry.operation) && { [optionalAuthentication]: true }),
      } satisfies Operation;
    }
  }
  return { ...document, paths };
}

function withSlugs(document: Document, prepared: Node): Node {
  const groups = listGroups(document);
  const slugs = new Map(groups.map(({ name, slug }) => [name, slug]));
  const tagGroups = readTagGroups(document);
  return {
    ...prepared,
    tags: groups.map(({ name, slug, description }) => ({ name: slug, "x-displayName": name, description })),
    ...(tagGroups.length > 0 && {
      "x-tagGroups": tagGroups.map(({ name, tags }) => ({ name, tags: tags.map((tag) => slugs.get(tag) ?? tag) })),
    }),
  };
}

/** The document's own list is long: it gets a section of its own. */
function withInfoNote(root: Node): Node {
  const info = isObject(root["info"]) ? root["info"] : {};
  const phrases = unspecifiedOf(info);
  if (phrases.length === 0) return root;
  const section = ["## Not specified", phrases.map((phrase) => `- ${phrase}`).join("\n")].join("\n\n");
  return { ...root, info: { ...info, description: joinParagraphs(info["description"], section) } };
}

function withNotes(value: unknown, isNameMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withNotes(item, false));
  if (!isObject(value)) return value;
  const parts = partsOf(value, isNameMap).map((part) => [part.key, withNotes(part.value, part.isNameMap)] as const);
  const copy = { ...value, ...Object.fromEntries(parts) };
  return isNameMap ? copy : withNote(copy);
}

function withNote(node: Node): Node {
  // The list of `info` becomes a section, and a reference has its notes where it leads.
  if ("title" in node && "version" in node) return node;
  // A parameter speaks for its schema: the renderer shows only the parameter's description.
  const schema = "in" in node && isObject(node["schema"]) ? node["schema"] : {};
  const phrases = [...unspecifiedOf(node), ...unspecifiedOf(schema)];
  const known = [...knownValuesOf(node), ...knownValuesOf(schema)];
  const isSecret = node["format"] === "password" || schema["format"] === "password";
  const notes = [
    ...(node[optionalAuthentication] === true ? ["**Credentials are optional.**"] : []),
    ...(known.length > 0 ? [`**Seen so far:** ${known.map((value) => `\`${value}\``).join(", ")}.`] : []),
    ...(phrases.length > 0 ? [`**Not specified:** ${phrases.join(", ")}.`] : []),
  ];
  return {
    ...node,
    ...(notes.length > 0 && { description: joinParagraphs(node["description"], `> ${notes.join(" ")}`) }),
    ...(isSecret && { "x-badges": [{ name: "Secret", position: "after" }] }),
  };
}

function isAuthenticationOptional(document: Document, operation: Operation): boolean {
  const security = operation.security ?? document.security ?? [];
  return security.length > 1 && security.some((requirement) => Object.keys(requirement).length === 0);
}

function joinParagraphs(description: unknown, note: string): string {
  return typeof description === "string" && description !== "" ? `${description.trimEnd()}\n\n${note}` : note;
}
