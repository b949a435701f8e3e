import { BaseResolver, escapePointerFragment, unescapePointerFragment, type Source } from "@redocly/openapi-core";
import { isObject, isReference } from "./document.ts";
import { placeOf, type Problem } from "./problems.ts";

type ParsedFile = ReturnType<BaseResolver["parseDocument"]>;
type Reference = Readonly<Record<"$ref", string>>;

/** A place in a parsed file. */
interface Target {
  readonly file: ParsedFile;
  readonly value: unknown;
}

/** A chain of references that leads back to where it began, so that no definition stands at its end. */
export class ReferenceCycleError extends Error {
  override name = "ReferenceCycleError";
  readonly problem: Problem;

  constructor(source: Source, pointer: string) {
    super("The chain of references that begins here leads back to itself.");
    this.problem = {
      severity: "error",
      ...placeOf({ source, pointer }),
      rule: "reference-cycle",
      message: this.message,
      suggestion: "Follow the references from here, and have the last of them lead to a definition.",
    };
  }
}

/**
 * Reads and parses source files, and refuses one with a reference that leads back to itself, by
 * {@link ReferenceCycleError}: Redocly's own resolver (@redocly/openapi-core 2.64) rejects promises that nobody awaits
 * when it meets such a reference, which ends the process.
 */
export class CycleRefusingResolver extends BaseResolver {
  readonly #parsed = new Map<string, ParsedFile>();

  override parseDocument(source: Source, isRoot?: boolean): ParsedFile {
    const file = super.parseDocument(source, isRoot);
    this.#parsed.set(source.absoluteRef, file);
    for (const [pointer, reference] of listReferences(file.parsed, "#")) {
      // A cycle through several files shows when the last of them is parsed.
      if (this.#follow({ file, value: reference }, []) === "cycle") {
        this.#parsed.delete(source.absoluteRef);
        throw new ReferenceCycleError(source, pointer);
      }
    }
    return file;
  }

  /** Where a chain of references ends; `undefined` where that is nowhere, or in a file not parsed yet. */
  #follow({ file, value }: Target, trail: readonly unknown[]): Target | "cycle" | undefined {
    if (!isReference(value)) return { file, value };
    if (trail.includes(value)) return "cycle";
    const here = [...trail, value];
    const [uri = "", pointer = ""] = value.$ref.split("#");
    const base = file.source.absoluteRef;
    const targetFile = uri === "" ? file : this.#parsed.get(this.resolveExternalRef(base, uri));
    let target: Target | "cycle" | undefined = targetFile && { file: targetFile, value: targetFile.parsed };
    for (const key of pointer.split("/").slice(1).map(unescapePointerFragment)) {
      if (target === undefined) return undefined;
      // A pointer may lead through a reference.
      if (child(target.value, key) === undefined) target = this.#follow(target, here);
      if (target === undefined || target === "cycle") return target;
      target = { file: target.file, value: child(target.value, key) };
    }
    return target === undefined ? undefined : this.#follow(target, here);
  }
}

/** Every reference in a parsed file, with the JSON Pointer of its place. */
function listReferences(value: unknown, pointer: string): [string, Reference][] {
  const references = listEntries(value).flatMap(([key, item]) =>
    listReferences(item, `${pointer}/${escapePointerFragment(key)}`),
  );
  return isReference(value) ? [[pointer, value], ...references] : references;
}

function listEntries(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [String(index), item]);
  return isObject(value) ? Object.entries(value) : [];
}

function child(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) ? value[key] : undefined;
}
