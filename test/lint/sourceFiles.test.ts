import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { traceReferences } from "../../scripts/redocly/sourceFiles.ts";

test("each file is read once, however many references lead into it", () => {
  const read = vi.spyOn(fs, "readFileSync");
  // Named imports of `node:fs` are what the module had when it was loaded.
  syncBuiltinESMExports();
  onTestFinished(() => {
    read.mockRestore();
    syncBuiltinESMExports();
  });
  const { files, targets } = traceReferences(join(import.meta.dirname, "../../openapi/v2/openapi.yaml"));
  const paths = read.mock.calls.map(([file]) => String(file)).filter((path) => /\.(?:md|yaml)$/.test(path));
  expect(paths.toSorted()).toEqual([...files].toSorted());
  expect(targets.size).toBeGreaterThan(2 * files.size);
});
