import { Source, type Oas3Rule, type UserContext } from "@redocly/openapi-core";
import { dirname, relative, resolve, sep } from "node:path";
import { isObject } from "../../contract/openapi.ts";
import { keyOf, membersOf } from "../nodes.ts";
import { listDefinitions, listSourceFiles, readSourceFile, traceReferences, type Reach } from "../sourceFiles.ts";

/**
 * Each file of the descriptions listed under `apis:` is reached from one of them, and so is each path and component in
 * it. (Redocly's own rule looks at the root file alone, and the bundler drops the rest without a word.)
 *
 * A description's files are those in its root's folder and below, and those in any other folder that it takes a file
 * from. If several descriptions have a file, the first of them reports on it.
 */
export const unusedSource: Oas3Rule = () => ({
  Root: {
    leave(_: unknown, ctx: UserContext) {
      const roots = listRoots(ctx);
      const position = roots.indexOf(ctx.location.source.absoluteRef);
      if (position === -1) return;
      const reaches = roots.map(traceReferences);
      const reachedFiles = new Set(reaches.flatMap(({ files }) => [...files]));
      const targets = new Set(reaches.flatMap((reach) => [...reach.targets]));
      const [own = new Set(), ...earlier] = roots
        .slice(0, position + 1)
        .map((root, index) => listFiles(root, reaches[index]))
        .reverse();
      for (const file of own) {
        if (roots.includes(file) || earlier.some((files) => files.has(file))) continue;
        if (reachedFiles.has(file)) reportUnusedDefinitions(file, targets, ctx);
        else reportUnusedFile(file, ctx);
      }
    },
  },
});

/** Absolute paths of the root files under `apis:` in redocly.yaml. */
function listRoots({ config }: UserContext): string[] {
  // `config` is that of one description, which no longer has `apis`; the file it comes from still does.
  const content = config?.document?.parsed;
  const apis = isObject(content) ? membersOf(content["apis"]) : [];
  return apis.flatMap(([, api]) =>
    isObject(api) && typeof api["root"] === "string" ? [resolve(dirname(config?.configPath ?? ""), api["root"])] : [],
  );
}

function listFiles(root: string, reach: Reach | undefined): ReadonlySet<string> {
  const folder = dirname(root);
  const others = new Set(
    [...(reach?.files ?? [])].map((file) => dirname(file)).filter((path) => !`${path}${sep}`.startsWith(folder + sep)),
  );
  return new Set([...listSourceFiles(folder, true), ...[...others].flatMap((path) => listSourceFiles(path, false))]);
}

function reportUnusedFile(file: string, ctx: UserContext): void {
  const path = relative(dirname(ctx.location.source.absoluteRef), file);
  const message = `Nothing refers to ${path}: refer to what is in it, or delete it.`;
  ctx.report({ message, location: keyOf(ctx.location.child("paths")) });
}

function reportUnusedDefinitions(file: string, targets: ReadonlySet<string>, ctx: UserContext): void {
  const source = readSourceFile(file);
  for (const pointer of listDefinitions(source?.content)) {
    const target = `${file}#${pointer}`;
    // A reference may lead into a component.
    if (targets.has(target) || [...targets].some((other) => other.startsWith(`${target}/`))) continue;
    const message = "Nothing refers to this path, path item or component: refer to it, or delete it.";
    ctx.report({
      message,
      location: { source: new Source(file, source?.text ?? ""), pointer: `#${pointer}`, reportOnKey: true },
    });
  }
}
