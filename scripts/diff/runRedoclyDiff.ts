import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isObject, objectsOf, parseJson } from "../spec/json.ts";

/** A change as `redocly diff` reports it. Pointers lead into the two documents. */
export interface ToolChange {
  /** The way from the root, through references. */
  readonly path: string;
  readonly typeName: string;
  readonly kind: "added" | "removed" | "modified";
  /** The directions in which values of the place travel. */
  readonly directions: readonly string[];
  readonly property: string | undefined;
  readonly verdicts: readonly { readonly rule: string; readonly message: string }[];
  readonly base: ToolPlace | undefined;
  readonly revision: ToolPlace | undefined;
}

interface ToolPlace {
  readonly pointer: string;
  readonly value: unknown;
}

const directionsRule = "house/directions";
const cli = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
const ownConfiguration = join(import.meta.dirname, "redocly.yaml");

/** Compares two documents with `redocly diff`, in a process of its own: nothing of it can be imported. */
export async function runRedoclyDiff(
  base: object,
  revision: object,
  configuration = ownConfiguration,
): Promise<readonly ToolChange[]> {
  const folder = await mkdtemp(join(tmpdir(), "diff-"));
  try {
    const [before = "", after = "", report = ""] = ["base", "revision", "report"].map((name) =>
      join(folder, `${name}.json`),
    );
    await Promise.all([writeFile(before, JSON.stringify(base)), writeFile(after, JSON.stringify(revision))]);
    const options = ["--config", configuration, "--format", "json", "--output", report, "--fail-on", "none"];
    await promisify(execFile)(process.execPath, [cli, "diff", before, after, ...options], {
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      maxBuffer: 2 ** 28,
    });
    const content = parseJson(await readFile(report, "utf8"));
    return objectsOf(isObject(content) ? content["changes"] : []).map(readChange);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function readChange(change: Readonly<Record<string, unknown>>): ToolChange {
  const { path, typeName, kind, property, base, revision } = change;
  const verdicts = objectsOf(change["verdicts"]).map(({ ruleId, message }) => ({
    rule: String(ruleId),
    message: String(message),
  }));
  const directions = verdicts.find(({ rule }) => rule === directionsRule)?.message.split(" ") ?? [];
  return {
    path: String(path),
    typeName: String(typeName),
    kind: kind === "added" || kind === "removed" ? kind : "modified",
    directions,
    property: typeof property === "string" ? property : undefined,
    verdicts: verdicts.filter(({ rule }) => rule !== directionsRule),
    base: readPlace(base),
    revision: readPlace(revision),
  };
}

function readPlace(place: unknown): ToolPlace | undefined {
  if (!isObject(place)) return undefined;
  return { pointer: String(place["pointer"]).replace(/^#\/?$|^#(?=\/)/, ""), value: place["value"] };
}
