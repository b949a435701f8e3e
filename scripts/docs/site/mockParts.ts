/* The contract for the mock in the page. A small one is loaded as a whole, a large one in parts when requests need them. */
import type { Generation, Operation } from "../../contract/generation.ts";
import { familyOf, readResources, unite } from "../../contract/resources.ts";
import { groupBy, reachable } from "../../values/collections.ts";
import { mapMembers, membersOf, pointerKeys, valueAt, withoutMembers } from "../../values/json.ts";
import { isDocument, type OpenApiDocument } from "../../spec/openapi.ts";
import { mapObjects, referencesIn } from "../../spec/walk.ts";
import type { Documents } from "../browser/mockPartList.ts";

/**
 * A part of the contract. It has all operations on its types of resources. A path may contain resources of other parts.
 * Only changed ones matter, and these are in the state.
 */
export interface MockPart {
  readonly operations: readonly Operation[];
  /** The names of these types. */
  readonly types: readonly string[];
  readonly documents: Documents;
}

/** Documentation for people. The mock doesn't read it, and it takes half of a document. Titles stay: messages name schemas by them. */
const texts = [
  ...["summary", "description", "externalDocs", "tags", "contact", "license", "termsOfService"],
  ...["x-unspecified", "x-code-samples", "x-codeSamples", "x-displayName", "x-tagGroups"],
];

/**
 * Divides a contract into parts, without the texts for people. A part has at most `size` operations, unless more of them
 * act on the same types of resources. A contract with references to anything but components stays one part.
 */
export function divideContract(generations: readonly Generation[], size: number): readonly MockPart[] {
  const resources = readResources(generations);
  const plain = generations.map((generation) => ({ generation, document: withoutTexts(generation.document) }));
  const isDivisible = plain.every(({ document }) => [...referencesIn(document)].every(isToComponent));
  const families = generations.flatMap(({ name, operations }) =>
    operations.map((operation) => {
      const type = resources.get(operation)?.type.name;
      return { operation, names: [`${name} ${familyOf(operation)}`, ...(type === undefined ? [] : [`type ${type}`])] };
    }),
  );
  const united = unite(families.map(({ names }) => names));
  const groups = groupBy(families, ({ names: [name = ""] }) => united.get(name));
  const lists = [...groups.values()].map((group) => group.map(({ operation }) => operation));
  const packed = isDivisible ? pack(lists, size) : [lists.flat()];
  return packed.map((operations) => {
    const types = new Set(operations.flatMap((operation) => resources.get(operation)?.type.name ?? []));
    const documents = plain.map(({ generation, document }) => {
      const paths = operations.flatMap((operation) =>
        operation.document === generation.document ? operation.path : [],
      );
      return [generation.name, packed.length === 1 ? document : partOf(document, new Set(paths))] as const;
    });
    return { operations, types: [...types], documents: Object.fromEntries(documents) };
  });
}

/** Combines groups of operations in their order, up to `size` operations. */
function pack(groups: readonly (readonly Operation[])[], size: number): readonly (readonly Operation[])[] {
  const packed: Operation[][] = [[]];
  for (const group of groups) {
    const last = packed.at(-1) ?? [];
    if (last.length === 0 || last.length + group.length <= size) last.push(...group);
    else packed.push([...group]);
  }
  return packed;
}

function withoutTexts(document: OpenApiDocument): OpenApiDocument {
  const plain = mapObjects(withoutMembers(document, ["webhooks"]), (object) => withoutMembers(object, texts));
  return isDocument(plain) ? plain : document;
}

/** A document with only some paths, and the components that they refer to. */
function partOf(document: OpenApiDocument, paths: ReadonlySet<string>): OpenApiDocument {
  const chosen = Object.fromEntries(membersOf(document.paths).filter(([path]) => paths.has(path)));
  const references = reachable(referencesIn(chosen), (reference) =>
    referencesIn(valueAt(document, componentKeys(reference))),
  );
  const named = new Set(Array.from(references, (reference) => componentKeys(reference).join(" ")));
  // Security requirements name schemes without a reference.
  const isKept = (kind: string, name: string) => kind === "securitySchemes" || named.has(`components ${kind} ${name}`);
  const components = mapMembers(document.components, (members, kind) =>
    Object.fromEntries(membersOf(members).filter(([name]) => isKept(kind, name))),
  );
  const part = { ...document, paths: chosen, components };
  return isDocument(part) ? part : document;
}

/** The keys of the component that a reference points to, or into. */
function componentKeys(reference: string): readonly string[] {
  return pointerKeys(reference).slice(0, 3);
}

function isToComponent(reference: string): boolean {
  return reference.startsWith("#/components/");
}
