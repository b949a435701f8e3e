import type { TextFile } from "../command/files.ts";

/** JavaScript that does nothing: comments aside, it only says that it is a module. */
const onlyTypes = /^(?:(?:export \{\};|\/\/.*)\s*)+$/;

/**
 * Gives compiled modules their places in the package: the folders of generated/ and scripts/, side by side. A module that
 * has only types is there as its declarations alone: its JavaScript would do nothing, and its source map repeat them.
 */
export function layOutModules(compiled: readonly TextFile[]): readonly TextFile[] {
  const empty = compiled.filter(({ path, content }) => path.endsWith(".js") && onlyTypes.test(content));
  const left = new Set(empty.flatMap(({ path }) => [path, `${path}.map`]));
  return compiled
    .filter(({ path }) => !left.has(path))
    .map(({ path, content }) => ({ path: path.replace(/^\w+\//, ""), content: adjust(path, content) }));
}

function adjust(path: string, content: string): string {
  // The map holds the source itself: its path on the machine where it was compiled is private.
  if (path.endsWith(".map")) return content.replace(/"sources":\["[^"]*\//, '"sources":["');
  const relative = content.replaceAll(/"(?:\.\.\/)+(?:generated|scripts)\//g, '"../');
  // TypeScript rewrites the extensions in scripts only.
  return path.endsWith(".d.ts") ? relative.replaceAll(/(from |import\()"(\.[^"]+)\.ts"/g, '$1"$2.js"') : relative;
}
