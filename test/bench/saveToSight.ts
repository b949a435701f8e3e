import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readConfiguration } from "../../scripts/pipeline/configuration.ts";
import { compare, type Benchmark } from "./figures.ts";
import { runServer, temporaryFolder } from "./programs.ts";

/** Measures how soon `npm run dev` shows a saved change: a new path in the mock, and the updated docs. */
export const benchDev: Benchmark = async function* () {
  const folder = await temporaryFolder();
  await cp(resolve("openapi"), join(folder, "openapi"), { recursive: true });
  for (const name of ["redocly.yaml", "scripts", "node_modules"]) await symlink(resolve(name), join(folder, name));
  const { sources } = await readConfiguration(join(folder, "redocly.yaml"));
  const { name: generation = "", root = "" } = sources.at(-1) ?? {};
  const original = await readFile(root, "utf8");
  const state = { method: "GET", target: "/", headers: {}, body: undefined };
  const dev = {
    name: "npm run dev",
    args: (_: string, port: number) => [resolve("scripts/dev.ts"), "--port", String(port)],
  };
  await using server = await runServer(dev, folder, state);
  const buildOf = async () => {
    const response = await fetch(`${server.url}/-/docs/state`);
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    return new TextDecoder().decode(value);
  };
  let round = 0;
  yield await compare({
    title: "dev: from save to sight",
    rounds: 5,
    metrics: {
      "mock answers": { unit: "ms", goal: { ours: 300 } },
      "docs are there": { unit: "ms", goal: { ours: 1_500 } },
    },
    measure: async () => {
      round += 1;
      const [path, former, begin] = [`/${generation}/bench-${round}`, await buildOf(), performance.now()];
      const item = `paths:\n  ${path}:\n    get:\n      responses:\n        "204":\n          description: Nothing.\n`;
      await writeFile(root, original.replace(/^paths:\n/m, item));
      while ((await fetch(server.url + path)).status === 404) await wait(5);
      const mock = performance.now() - begin;
      while ((await buildOf()) === former) await wait(5);
      const docs = performance.now() - begin;
      // The rest, generated/, is not for readers.
      await wait(5_000);
      return { "mock answers": mock, "docs are there": docs };
    },
    ours: undefined,
  });
};
