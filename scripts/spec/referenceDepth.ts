import { isDescribed, isNameMap } from "./walk.ts";

/**
 * The most levels of a description, counted through its references. Every command can process this many, although Redocly and
 * others call themselves for each. A level is an object or a list.
 */
export const maxLevels = 500;

/** A value that references lead to, or the whole description. */
interface ReferencedValue {
  readonly value: unknown;
  readonly levels: number;
  readonly targets: readonly unknown[];
  /** The order in which parts were found. */
  readonly order: number;
  /** The lowest order of a part that this one leads to, and that may lead back to it. */
  low: number;
  /** The most levels from here, once they are known. */
  total: number | undefined;
  /** The next one of `targets` to follow. */
  next: number;
}

/**
 * Finds a value in a description from which the levels may be more than {@link maxLevels}, counted through references. In which
 * order values are visited doesn't matter: of values that lead to each other, the levels are added. `targetOf` returns what an
 * object with a reference leads to. Without recursion (Tarjan's algorithm for strongly connected components).
 */
export function findTooDeep(
  root: unknown,
  targetOf: (reference: object) => unknown,
): { readonly value: unknown } | undefined {
  const parts = new Map<unknown, ReferencedValue>();
  const open: ReferencedValue[] = [];
  const enter = (value: unknown): ReferencedValue => {
    const part: ReferencedValue = {
      value,
      ...readPart(value, targetOf),
      order: parts.size,
      low: parts.size,
      total: undefined,
      next: 0,
    };
    parts.set(value, part);
    open.push(part);
    return part;
  };
  const path = [enter(root)];
  for (let part = path.at(-1); part !== undefined; part = path.at(-1)) {
    if (part.next < part.targets.length) {
      const target = part.targets[part.next];
      part.next += 1;
      const known = parts.get(target);
      if (known === undefined) path.push(enter(target));
      else if (known.total === undefined) part.low = Math.min(part.low, known.order);
      continue;
    }
    path.pop();
    const around = path.at(-1);
    if (around !== undefined) around.low = Math.min(around.low, part.low);
    if (part.low < part.order) continue;
    const ring = open.splice(open.lastIndexOf(part));
    let [own, after] = [0, 0];
    for (const { levels, targets } of ring) {
      own += levels;
      for (const target of targets) after = Math.max(after, parts.get(target)?.total ?? 0);
    }
    const total = own + after;
    if (total > maxLevels) return { value: part.value };
    for (const one of ring) one.total = total;
  }
  return undefined;
}

/** The levels of a value without those of its references, and the targets of these. */
function readPart(root: unknown, targetOf: (reference: object) => unknown) {
  const seen = new Set<unknown>();
  const targets = new Set<unknown>();
  const waiting = [{ value: root, level: 1, isMap: false }];
  let levels = 0;
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value, level, isMap } = place;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    levels = Math.max(levels, level);
    const target = targetOf(value);
    if (target !== undefined) targets.add(target);
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      if (!isList && !isMap && !isDescribed(key, member)) continue;
      waiting.push({ value: member, level: level + 1, isMap: !isList && !isMap && isNameMap(key, member) });
    }
  }
  return { levels, targets: [...targets] };
}
