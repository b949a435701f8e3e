import { isDeepStrictEqual } from "node:util";
import type { Generation } from "../contract/generation.ts";
import { compareText, groupBy } from "../contract/text.ts";
import type { Direction } from "../spec/schemas.ts";
import { adviseOn, impacts, type Change } from "./changes.ts";
import type { Compared, Difference } from "./compareObjects.ts";
import { compareContents } from "./compareOperations.ts";
import { breaks } from "./effects.ts";

/**
 * Compares two states of a contract, generation by generation, and rates each change as consumers feel it. The most severe
 * changes come first. What only reorders or reformats the descriptions is no change.
 */
export function compareGenerations(base: readonly Generation[], next: readonly Generation[]): readonly Change[] {
  const names = [...new Set([...base, ...next].map(({ name }) => name))];
  const all = names.flatMap((name): readonly Change[] => {
    const [before, after] = [base, next].map((all) => all.find((generation) => generation.name === name));
    if (before !== undefined && after !== undefined) return compareGeneration(before, after);
    const kind = before === undefined ? "added" : "removed";
    const impact = before === undefined ? "minor" : "major";
    const operations = (before ?? after)?.operations.map((operation) => operation.name) ?? [];
    const message = `The generation ${name} was ${kind}.`;
    const advice = adviseOn({ kind, impact, topic: "generation", direction: "request" });
    return [{ impact, kind, advice, generation: name, operations, pointer: "", message }];
  });
  // Changes of one rating stay in the order of the description.
  return all.toSorted((a, b) => impacts.indexOf(a.impact) - impacts.indexOf(b.impact));
}

function compareGeneration(before: Generation, after: Generation): readonly Change[] {
  if (isDeepStrictEqual(before.document, after.document)) return [];
  const changes = compareContents(before, after).flatMap((compared) => rate(compared, after.name));
  return mergeOperations(mergeChanges(changes), after.operations.length);
}

/** Rates what differs in an object, by the operations in which values of it travel, and the directions. */
function rate(compared: Compared, generation: string): readonly Change[] {
  if (compared.differences.length === 0) return [];
  const users = { request: usersOf(compared, "request"), response: usersOf(compared, "response") };
  return compared.differences.map(({ effect, topic, kind, ...told }: Difference): Change => {
    const broken = breaks[effect].filter((direction) => users[direction].size > 0);
    const [direction = "request", other] = broken;
    const impact =
      broken.length > 0 ? "major" : effect === "explained" && !told.gaps?.opened.length ? "patch" : "minor";
    const operations =
      impact === "major" && other === undefined ? users[direction] : new Set([...users.request, ...users.response]);
    return {
      impact,
      kind: effect === "explained" || told.gaps !== undefined ? "clarified" : kind,
      generation,
      operations: [...operations].filter((name) => name !== ""),
      ...told,
      advice: adviseOn({
        impact,
        kind,
        direction,
        topic: told.pointer.startsWith("/components/securitySchemes/") ? `security ${topic}` : topic,
      }),
    };
  });
}

/** The operations in which values of an object travel in a direction; an empty name for the generation as a whole. */
function usersOf(compared: Compared, direction: Direction): ReadonlySet<string> {
  const reached = new Set([compared]);
  for (const one of reached) {
    for (const { by, directions } of one.uses) if (directions.includes(direction)) reached.add(by);
  }
  return new Set([...reached].flatMap(({ name }) => name ?? []));
}

/** One change for what several operations share. */
function mergeChanges(changes: readonly Change[]): readonly Change[] {
  const alike = groupBy(changes, ({ pointer, impact, message }) => [pointer, impact, message].join("\n"));
  return [...alike.values()].flatMap(mergeAll);
}

/** One change for what is told alike of each operation. */
function mergeOperations(changes: readonly Change[], count: number): readonly Change[] {
  const shared = ({ message, operations }: Change) => message.replace(`\`${operations.join()}\``, "Every operation");
  const alike = groupBy(changes, (change) => [change.impact, shared(change)].join("\n"));
  return [...alike.values()].flatMap((group) => {
    const [merged] = mergeAll(group);
    if (merged === undefined || group.length === 1 || merged.operations.length < count) return group;
    return [{ ...merged, message: group.map(shared)[0] ?? "" }];
  });
}

function mergeAll([first, ...others]: readonly Change[]): readonly Change[] {
  if (first === undefined) return [];
  const operations = new Set([first, ...others].flatMap((change) => change.operations));
  return [{ ...first, operations: [...operations].toSorted(compareText) }];
}
