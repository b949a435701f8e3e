import { BaseResolver, ResolveError, YamlParseError, Source } from "@redocly/openapi-core";
import { isAbsolute } from "node:path";
import { withoutByteOrderMark } from "../contract/text.ts";
import { isInside, shownPath, type OutsideReference } from "../redocly/sourceFiles.ts";
import type { GenerationSource } from "./configuration.ts";
import { errorAt, type LintProblem } from "./lintProblems.ts";
import { findWrongBytes } from "./yamlProblems.ts";

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
