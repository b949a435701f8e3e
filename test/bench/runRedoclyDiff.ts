import { execFile } from "node:child_process";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isObject, objectsOf, parseJson } from "../../scripts/values/json.ts";

const cli = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");

/**
 * Returns the places of breaking changes in `redocly diff`, which runs in a separate process: the path
 * through references, followed by the place in the old document.
 */
export async function runRedoclyDiff(base: object, revision: object): Promise<readonly string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "diff-"));
  const fileOf = (name: string) => join(folder.path, name);
  const [before, after, report] = [fileOf("base.json"), fileOf("revision.json"), fileOf("report.json")];
  const configuration = fileOf("redocly.yaml");
  await writeFile(configuration, "extends: [diff-recommended]\n");
  await Promise.all([writeFile(before, JSON.stringify(base)), writeFile(after, JSON.stringify(revision))]);
  const options = ["--config", configuration, "--format", "json", "--output", report, "--fail-on", "none"];
  await promisify(execFile)(process.execPath, [cli, "diff", before, after, ...options], {
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    maxBuffer: 2 ** 28,
  });
  const written = parseJson(await readFile(report, "utf8"));
  const changes = isObject(written) ? objectsOf(written["changes"]) : [];
  return changes
    .filter(({ verdicts }) => objectsOf(verdicts).length > 0)
    .map(({ path, base: former }) => String(path) + (isObject(former) ? String(former["pointer"]) : ""));
}
