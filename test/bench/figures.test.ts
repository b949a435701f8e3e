import { expect, test } from "vitest";
import { compare, formatTable } from "./figures.ts";
import { repository, runNode } from "../pipeline/project.ts";

test("the table compares figures, and says for each goal whether it is met", async () => {
  const values: Record<string, readonly number[]> = { ours: [1_200, 3, 1_000], quick: [500, 500, 500], lost: [NaN] };
  const rounds = new Map<string, number>();
  const comparison = await compare({
    title: "a mock",
    metrics: {
      "GET requests": { unit: "requests/s", better: "more", goal: { ratio: 2.5 } },
      wait: { unit: "ms", goal: { ours: 1_000 } },
    },
    measure: (tool) => {
      const round = rounds.get(tool) ?? 0;
      rounds.set(tool, round + 1);
      const value = values[tool]?.[round] ?? Infinity;
      return Promise.resolve({ "GET requests": value, wait: value });
    },
    ours: "ours",
    others: { quick: "quick", lost: "lost" },
  });
  expect(formatTable([comparison]).split("\n")).toEqual([
    "",
    "a mock",
    "  GET requests                1,000 requests/s",
    "    quick                       500 requests/s  ratio 2.00",
    "    lost                      never             ratio 0.00",
    "    goal: ratio at least 2.5                    MISSED",
    "  wait                        1,000 ms",
    "    quick                       500 ms          ratio 2.00",
    "    lost                      never             ratio 0.00",
    "    goal: at most 1,000 ms                      met",
  ]);
});

test("npm run bench lists its measurements", async () => {
  const { code, stdout, stderr } = await runNode(repository, ["test/bench/bench.ts", "mock", "speed"]);
  expect([code, stdout, stderr]).toEqual([
    1,
    "",
    'error: "speed" is not a benchmark: there are build, client, dev, diff, docs, mock\n',
  ]);
});
