// npm scripts load this before the script itself. It is JavaScript because an old Node.js rejects TypeScript
// with an error that doesn't mention versions.
import { readFileSync } from "node:fs";

const { devEngines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const oldest = devEngines.runtime.version.replace(">=", "");

if (process.versions.node.localeCompare(oldest, "en", { numeric: true }) < 0) {
  process.stderr.write(
    `error: this needs Node.js ${oldest} or newer, but runs on ${process.versions.node}: use npm run, npm test or npx, which choose ` +
      `node_modules/.bin/node. If npm ci has not installed that for ${process.platform} ${process.arch}, install a newer Node.js.\n`,
  );
  process.exit(1);
}
