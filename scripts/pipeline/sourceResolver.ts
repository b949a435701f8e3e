import { BaseResolver, YamlParseError, type Config, type Source } from "@redocly/openapi-core";
import { isUrl, keepRemoteFile, readSourceFile, traceReferences } from "../redocly/sourceFiles.ts";
import { findWrongBytes } from "./yamlProblems.ts";

/**
 * Creates a reader of the files of descriptions. Its errors are Redocly's: `YamlParseError` for a file that isn't UTF-8,
 * whose bytes Redocly (2.64) would replace.
 */
export function createResolver(config: Config["resolve"]): BaseResolver {
  const resolver = new BaseResolver(config);
  const load = resolver.loadExternalRef.bind(resolver);
  resolver.loadExternalRef = async (file: string): Promise<Source> => {
    const source = await load(file);
    if (isUrl(file)) keepRemoteFile(file, source.body);
    else if (findWrongBytes(source).length > 0) throw new YamlParseError(new Error("not UTF-8"), source);
    return source;
  };
  return resolver;
}

/**
 * Loads the files of a description that is on a web server, so that its references can be followed without waiting.
 * Rejects if its root can't be loaded. Other files that can't be loaded are left to lint.
 */
export async function loadRemoteFiles(root: string, resolver: BaseResolver): Promise<void> {
  const asked = new Set<string>();
  for (let missing = [root]; missing.length > 0;) {
    for (const url of missing) asked.add(url);
    const loading = missing.map((url) => resolver.loadExternalRef(url));
    if (missing[0] === root) await Promise.all(loading);
    await Promise.allSettled(loading);
    const { files } = traceReferences(root);
    missing = [...files].filter((file) => !asked.has(file) && readSourceFile(file).text === "");
  }
}
