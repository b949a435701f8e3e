import { BaseResolver, ResolveError, YamlParseError, Source, type Config } from "@redocly/openapi-core";
import { withoutByteOrderMark } from "../contract/text.ts";
import { findWrongBytes } from "./yamlProblems.ts";

/**
 * Creates a reader of the files of descriptions, which loads nothing over a network. Its errors are Redocly's:
 * `YamlParseError` for a file that isn't UTF-8, whose bytes Redocly (2.64) would replace. It removes byte order marks,
 * which Redocly counts in columns.
 */
export function createResolver(config: Config["resolve"]): BaseResolver {
  const resolver = new BaseResolver(config);
  const load = resolver.loadExternalRef.bind(resolver);
  resolver.loadExternalRef = async (file: string): Promise<Source> => {
    if (file.includes("://"))
      throw new ResolveError(new Error(`${file} is not a file: download it, and refer to the copy`));
    const { body, mimeType } = await load(file);
    const source = new Source(file, withoutByteOrderMark(body), mimeType);
    if (findWrongBytes(source).length > 0) throw new YamlParseError(new Error("not UTF-8"), source);
    return source;
  };
  return resolver;
}
