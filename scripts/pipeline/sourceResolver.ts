import { BaseResolver, YamlParseError, Source, type Config } from "@redocly/openapi-core";
import { withoutByteOrderMark } from "../contract/text.ts";
import { isUrl, keepRemoteFile, traceReferences } from "../redocly/sourceFiles.ts";
import { findWrongBytes } from "./yamlProblems.ts";

/**
 * Creates a reader of the files of descriptions. Its errors are Redocly's: `YamlParseError` for a file that isn't UTF-8,
 * whose bytes Redocly (2.64) would replace. It removes byte order marks, which Redocly counts in columns.
 */
export function createResolver(config: Config["resolve"]): BaseResolver {
  const resolver = new BaseResolver(config);
  const load = resolver.loadExternalRef.bind(resolver);
  resolver.loadExternalRef = async (file: string): Promise<Source> => {
    const { body, mimeType } = await load(file);
    const source = new Source(file, withoutByteOrderMark(body), mimeType);
    if (isUrl(file)) keepRemoteFile(file, source.body);
    else if (findWrongBytes(source).length > 0) throw new YamlParseError(new Error("not UTF-8"), source);
    return source;
  };
  return resolver;
}

/** The number of files to load at the same time, as browsers do from one host. */
const atOnce = 6;

/**
 * Loads the other files of a description whose root was read from a web server, so that its references can be followed
 * without waiting. Files that can't be loaded are left to lint.
 */
export async function loadRemoteFiles(root: string, resolver: BaseResolver): Promise<void> {
  const asked = new Set([root]);
  for (;;) {
    const missing = [...traceReferences(root).files].filter((file) => !asked.has(file));
    if (missing.length === 0) return;
    for (const file of missing) asked.add(file);
    for (let index = 0; index < missing.length; index += atOnce) {
      const some = missing.slice(index, index + atOnce);
      await Promise.allSettled(some.map((file) => resolver.resolveDocument(null, file)));
    }
  }
}
