import type { Oas3Rule, UserContext } from "@redocly/openapi-core";
import { dirname, resolve } from "node:path";
import { membersOf, stringsOf, valueAt } from "../../values/json.ts";
import { reportOn } from "../nodes.ts";
import {
  listDefinitions,
  listSourceFiles,
  placeIn,
  readSourceFile,
  shownPath,
  traceReferences,
} from "../sourceFiles.ts";

/**
 * Each file of the descriptions under `apis:` is reachable from one of them, and so is each path and
 * component in it. Redocly's rule checks the root file only, and the bundler drops unreferenced files
 * silently.
 *
 * If several descriptions share a file, the first of them reports it.
 */
export const unusedSource: Oas3Rule = () => ({
  Root: {
    leave(_: unknown, ctx: UserContext) {
      const roots = listRoots(ctx);
      if (roots.includes(ctx.location.source.absoluteRef)) reportUnused(roots, ctx);
    },
  },
});

function reportUnused(roots: readonly string[], ctx: UserContext): void {
  const reaches = roots.map((root) => traceReferences(root, [dirname(ctx.config?.configPath ?? "")]));
  const reached = new Set(reaches.flatMap(({ files }) => [...files]));
  const targets = new Set(reaches.flatMap((reach) => [...reach.targets]));
  const reporters = new Map<string, string>();
  for (const reach of reaches.toReversed()) {
    for (const file of listSourceFiles(reach)) reporters.set(file, reach.root);
  }
  for (const { root } of reaches) reporters.delete(root);
  for (const [file, root] of reporters) {
    if (root !== ctx.location.source.absoluteRef) continue;
    if (reached.has(file)) reportUnusedDefinitions(file, targets, ctx);
    else reportUnusedFile(file, ctx);
  }
}

/** Absolute paths of the root files under `apis:` in redocly.yaml. */
function listRoots({ config }: UserContext): string[] {
  // `config` belongs to one description and lacks `apis`, but its file has them.
  const apis = membersOf(valueAt(config?.document?.parsed, ["apis"]));
  const roots = stringsOf(apis.map(([, api]) => valueAt(api, ["root"])));
  return roots.map((root) => resolve(dirname(config?.configPath ?? ""), root));
}

function reportUnusedFile(file: string, ctx: UserContext): void {
  const message = `Nothing refers to ${shownPath(file)}: add a reference to its content, or delete it.`;
  reportOn(ctx.location.child("paths"), message, ctx);
}

function reportUnusedDefinitions(file: string, targets: ReadonlySet<string>, ctx: UserContext): void {
  for (const pointer of listDefinitions(readSourceFile(file).content)) {
    if (targets.has(`${file}#${pointer}`)) continue;
    const message = pointer.startsWith("/components/pathItems/")
      ? "No path refers to this path item: add it to the `paths` of an openapi.yaml, or delete it."
      : "Nothing refers to this path or component: add a reference, or delete it.";
    ctx.report({ message, location: { ...placeIn(file, pointer), reportOnKey: true } });
  }
}
