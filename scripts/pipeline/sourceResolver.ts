import { BaseResolver, ResolveError, YamlParseError, Source } from "@redocly/openapi-core";
import { isAbsolute } from "node:path";
import { withoutByteOrderMark } from "../values/text.ts";
import { isObject } from "../values/json.ts";
import { percentDecode } from "../values/percentEncoding.ts";
import { walk } from "../spec/walk.ts";
import { isInside, shownPath, type OutsideReference } from "../redocly/sourceFiles.ts";
import type { GenerationSource } from "./configuration.ts";
import { errorAt, type LintProblem } from "./lintProblems.ts";
import { findWrongBytes } from "./yamlProblems.ts";

/** The links of examples to files, which Redocly (2.64) would read into the description. */
const links = new WeakMap<object, string>();

/** Takes the links out of the examples in a document. */
function hideLinks(document: unknown): void {
  for (const { value: example } of walk(document)) {
    // With a value, lint reports the link.
    if (!isObject(example) || "value" in example || typeof example["externalValue"] !== "string") continue;
    links.set(example, example["externalValue"]);
    Reflect.deleteProperty(example, "externalValue");
  }
}

/** Puts the links back into the examples of a bundle. */
export function restoreLinks(document: unknown): void {
  for (const { value } of walk(document)) {
    const link = isObject(value) ? links.get(value) : undefined;
    if (isObject(value) && link !== undefined) Reflect.set(value, "externalValue", link);
  }
}

/**
 * Creates a reader of a description's root and of files in its folders, which loads nothing over a network. Its errors
 * are Redocly's: `YamlParseError` for a file that isn't UTF-8, whose bytes Redocly (2.64) would replace. It removes byte
 * order marks, which Redocly counts in columns.
 */
export function createResolver({
  root,
  folders,
  config,
}: Pick<GenerationSource, "root" | "folders" | "config">): BaseResolver {
  const resolver = new BaseResolver(config.resolve);
  const load = resolver.loadExternalRef.bind(resolver);
  resolver.loadExternalRef = async (file: string): Promise<Source> => {
    if (file !== root && !(isAbsolute(file) && isInside(folders, file))) {
      throw new ResolveError(new Error("it leads out of the description's folder"));
    }
    const { body, mimeType } = await load(file);
    const source = new Source(file, withoutByteOrderMark(body), mimeType);
    if (findWrongBytes(source).length > 0) throw new YamlParseError(new Error("not UTF-8"), source);
    return source;
  };
  const resolve = resolver.resolveExternalRef.bind(resolver);
  // References are percent-encoded (RFC 3986, section 2.1). Paths of roots aren't.
  resolver.resolveExternalRef = (base, reference) =>
    resolve(base, base === null ? reference : (percentDecode(reference) ?? reference));
  const parse = resolver.parseDocument.bind(resolver);
  resolver.parseDocument = (...input) => {
    const document = parse(...input);
    hideLinks(document.parsed);
    return document;
  };
  return resolver;
}

/** The errors for references that lead out of a description's folders. */
export function refuseOutside(
  references: readonly OutsideReference[],
  { folders, isUnlisted }: Pick<GenerationSource, "folders" | "isUnlisted">,
): readonly LintProblem[] {
  const named = folders.map((folder) => `${shownPath(folder) || "."}/`).join(" or ");
  const allow = isUnlisted ? ", or allow its folder with --allow-folder DIR" : "";
  return references.map(({ location, target }) => {
    const message = `This leads to ${target}, which isn't a file in ${named}.`;
    return errorAt(location, "outside-reference", message, `Copy it there, and refer to the copy${allow}.`);
  });
}
