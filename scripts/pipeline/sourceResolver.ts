import { isUtf8 } from "node:buffer";
import { BaseResolver, YamlParseError, Source, type Config } from "@redocly/openapi-core";
import { messageOf } from "../contract/failures.ts";
import { withoutByteOrderMark } from "../contract/text.ts";
import { readLimited } from "../spec/bytes.ts";
import { isUrl, keepRemoteFile, traceReferences } from "../redocly/sourceFiles.ts";
import { findWrongBytes } from "./yamlProblems.ts";

/**
 * Creates a reader of the files of descriptions. Its errors are Redocly's: `YamlParseError` for a file that isn't UTF-8,
 * whose bytes Redocly (2.64) would replace. It removes byte order marks, which Redocly counts in columns.
 */
export function createResolver(config: Config["resolve"]): BaseResolver {
  const resolver = new BaseResolver({ ...config, http: { ...config.http, customFetch: fetchFile } });
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

/** The longest that a web server may take for a file, in seconds. */
const longestLoad = 30;
/** The largest file that a web server may send, in MiB. The largest known descriptions have half as much. */
const largestFile = 64;

/** Fetches a file. Rejects with what went wrong in words, and if the file takes too long or is too large. */
async function fetchFile(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { url } = new Request(input);
  const signal = AbortSignal.timeout(longestLoad * 1_000);
  try {
    const response = await fetch(url, { ...init, signal });
    // Redocly reads the text, which may never end.
    return new Response(response.ok ? await readText(response) : null, response);
  } catch (error) {
    if (signal.aborted) throw new Error(`${url} took longer than ${longestLoad} seconds`, { cause: error });
    // The message of fetch is only "fetch failed".
    const reason = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new Error(`${url}: ${messageOf(reason)}`, { cause: error });
  }
}

/** The text of a file. Rejects if it is too large, or not UTF-8, whose bytes would be replaced. */
async function readText({ body }: Response): Promise<string> {
  const bytes = await readLimited(body, largestFile, "the file");
  if (!isUtf8(bytes)) throw new Error("it is not UTF-8");
  return new TextDecoder().decode(bytes);
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
