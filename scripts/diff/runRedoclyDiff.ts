import { execFile } from "node:child_process";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { createRequire, getCompileCacheDir } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isObject, parseJson } from "../spec/json.ts";

/** A change as `redocly diff` reports it. */
export type ToolChange = Awaited<ReturnType<typeof runRedoclyDiff>>[number];

interface Report {
  readonly changes: readonly {
    /** The way from the root, through references. */
    readonly path: string;
    readonly typeName: string;
    readonly kind: "added" | "removed" | "modified";
    readonly property?: string;
    readonly verdicts: readonly { readonly ruleId: string; readonly message: string }[];
    readonly base?: ReportedPlace;
    readonly revision?: ReportedPlace;
  }[];
}

interface ReportedPlace {
  /** JSON Pointer in one of the two documents, as the fragment of a URI. */
  readonly pointer: string;
  readonly value?: unknown;
}

const cli = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
const ownConfiguration = join(import.meta.dirname, "redocly.yaml");

/** Compares two documents with `redocly diff`, in a process of its own: nothing of it can be imported. */
export async function runRedoclyDiff(base: object, revision: object, configuration = ownConfiguration) {
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
  return written.changes.map(({ property = "", base: former, revision: current, ...change }) => ({
    ...change,
    property,
    before: former?.value,
    after: current?.value,
    former: placeOf(former ?? current),
    place: placeOf(current ?? former),
  }));
}

/** The JSON Pointer of a place, without what makes it the fragment of a URI. */
function placeOf(place?: ReportedPlace): string {
  return place?.pointer.replace(/^#\/?$|^#(?=\/)/, "") ?? "";
}

/** The version of `redocly diff` is locked: its report is of one form. */
function isReport(value: unknown): value is Report {
  return isObject(value) && value["reportVersion"] === "1";
}
