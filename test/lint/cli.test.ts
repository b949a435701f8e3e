import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("redocly lint finds nothing to report on the contract", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["node_modules/@redocly/cli/bin/cli.js", "lint", "--format=stylish"],
    { encoding: "utf8", env: { ...process.env, REDOCLY_SUPPRESS_NOTIFICATIONS: "true" } },
  );
  // Stylish prints problems to standard output, one a line, and nothing where there are none.
  expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: "" });
});
