import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { traceReferences } from "../../scripts/redocly/sourceFiles.ts";

vi.mock("node:fs", async (load) => {
  const fs = await load<typeof import("node:fs")>();
  return { ...fs, readFileSync: vi.fn(fs.readFileSync) };
});

test("each file is read once, however many references lead into it", () => {
  const root = join(import.meta.dirname, "../../openapi/v2/openapi.yaml");
  const { files, targets } = traceReferences(root);
  const read = vi.mocked(readFileSync).mock.calls.map(([file]) => String(file));
  expect(read.toSorted()).toEqual([...files].toSorted());
  expect(targets.size).toBeGreaterThan(2 * files.size);
});
