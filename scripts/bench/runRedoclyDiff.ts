import { execFile } from "node:child_process";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { createRequire, getCompileCacheDir } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isObject, parseJson, pointerKeys } from "../spec/json.ts";

/** A change as `redocly diff` finds it. */
export interface ToolChange {
  /** The JSON Pointer that leads from the root through references to what was added or removed, or to what has the field. */
  readonly path: string;
  /** The keys of that pointer. */
  readonly keys: readonly string[];
  /** What is there, by Redocly's name: `Parameter`, `SchemaProperties`. */
  readonly typeName: string;
  readonly kind: "added" | "removed" | "renamed" | "modified";
  /** The field that differs, if it was modified; otherwise empty. */
  readonly property: string;
  /** The values, as far as they are there; the names, if it was renamed. */
  readonly before: unknown;
  readonly after: unknown;
  /** JSON Pointers in the two documents, without references; where one has nothing, the other's. */
  readonly former: string;
  readonly place: string;
  /** The rule that it breaks, the first of them. */
  readonly rule: string | undefined;
}

interface Report {
  readonly changes: readonly ReportedChange[];
}

interface ReportedChange {
  readonly path: string;
  readonly typeName: string;
  readonly kind: "added" | "removed" | "modified";
  /** `key` for the name of the whole. */
  readonly property?: string;
  readonly verdicts: readonly { readonly ruleId: string }[];
  readonly base?: ReportedPlace;
  readonly revision?: ReportedPlace;
}

interface ReportedPlace {
  /** JSON Pointer in one of the two documents, after a `#`. */
  readonly pointer: string;
  readonly value?: unknown;
}

const cli = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");

/** Compares two documents with `redocly diff`, in a process of its own: nothing of it can be imported. */
export async function runRedoclyDiff(
  base: object,
  revision: object,
  configuration: string,
): Promise<readonly ToolChange[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "diff-"));
  const fileOf = (name: string) => join(folder.path, `${name}.json`);
  const [before, after, report] = [fileOf("base"), fileOf("revision"), fileOf("report")];
  await Promise.all([writeFile(before, JSON.stringify(base)), writeFile(after, JSON.stringify(revision))]);
  const options = ["--config", configuration, "--format", "json", "--output", report, "--fail-on", "none"];
  const cache = getCompileCacheDir();
  await promisify(execFile)(process.execPath, [cli, "diff", before, after, ...options], {
    env: {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }),
    },
    maxBuffer: 2 ** 28,
  });
  const written = parseJson(await readFile(report, "utf8"));
  if (!isReport(written)) throw new Error("redocly diff has written another report than before");
  return written.changes.map(readChange);
}

/** Of a verdict, only the rule counts: its message is for people, and repeats what the other fields say. */
function readChange({ path: fragment, typeName, kind, property = "", verdicts, base, revision }: ReportedChange) {
  const path = pointerOf(fragment);
  const former = pointerOf((base ?? revision)?.pointer);
  // Some objects have a field of this name.
  const isRenamed = property === "key" && base !== undefined && pointerKeys(former).at(-1) === base.value;
  return {
    path,
    keys: pointerKeys(path),
    typeName,
    kind: isRenamed ? "renamed" : kind,
    property: isRenamed ? "" : property,
    before: base?.value,
    after: revision?.value,
    former,
    place: pointerOf((revision ?? base)?.pointer),
    rule: verdicts[0]?.ruleId,
  } as const;
}

/** The JSON Pointer after a `#`; that of the root is written as `#/`. */
function pointerOf(fragment = "#/"): string {
  return fragment === "#/" ? "" : fragment.slice(1);
}

/** The version of `redocly diff` is locked: its report is of one form. */
function isReport(value: unknown): value is Report {
  return isObject(value) && value["reportVersion"] === "1";
}
