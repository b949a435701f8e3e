import { type readResources, resourcesIn } from "../contract/resources.ts";
import type { Operation } from "../contract/generation.ts";
import { countOf } from "../values/text.ts";
import { getOrCreate } from "../values/collections.ts";
import { pointerTo } from "../contract/operationPointer.ts";
import type { VerifiedExchange } from "../exchange/observation.ts";

/** A page that an operation has listed. */
interface Page {
  readonly limit: unknown;
  readonly offset: unknown;
  /** The identifiers of its items, or else the items. */
  readonly ids: readonly string[];
  readonly hasIds: boolean;
  readonly text: string;
}

/** The items that an operation has listed for one combination of other parameters. */
interface Pages {
  /** By the value of the limit parameter. */
  readonly bySize: Map<string, Page>;
  /** The items by their positions. */
  readonly items: Map<number, string>;
  /** The largest number of items on a page. A service may have a maximum, but not below this. */
  longest: number;
  /** True if a contradiction between pages was reported. */
  isTold: boolean;
}

/** Something wrong with a page: the kind of finding, a code, the rule, and the received page in words. */
type PageProblem = readonly [kind: "contradiction" | "doubt", code: string, rule: string, received: string];

type Pagination = Operation["pagination"] & object;

/**
 * Makes a check of the limit and offset parameters. `isComplete`: nobody else changes the list, so pages must be
 * consistent.
 */
export function createPageCheck(resources: ReturnType<typeof readResources>, isComplete: boolean) {
  const lists = new Map<string, Pages>();
  return {
    /** After a change, items may have other positions. */
    forget: () => {
      for (const { items } of lists.values()) items.clear();
    },
    check: ({ operation, query, observe }: VerifiedExchange, value: unknown): void => {
      const { pagination } = operation;
      const { view, type } = resources.get(operation) ?? {};
      if (pagination === undefined || view?.isList !== true) return;
      const { [pagination.limit]: limit, [pagination.offset]: offset = "0", ...others } = query;
      const key = JSON.stringify([operation.name, others]);
      const pages = getOrCreate(lists, key, (): Pages => ({
        bySize: new Map(),
        items: new Map(),
        longest: 0,
        isTold: false,
      }));
      const shown = resourcesIn(value, view);
      const [idName] = [...(type?.keys ?? []), "id"].filter((name) => shown.every((one) => name in one));
      const ids = shown.map((one) => JSON.stringify(idName === undefined ? one : one[idName]));
      const page = { limit, offset, ids, hasIds: idName !== undefined, text: JSON.stringify(shown) };
      // Other problems of these pages have the same cause.
      const problem = pages.isTold ? tooLong(pagination, page) : problemOf(pages, pagination, page, isComplete);
      if (problem === undefined) return;
      pages.isTold = true;
      const [kind, code, message, received] = problem;
      observe(kind, pointerTo(operation, "parameters"), { code, direction: "response", message, received });
    },
  };
}

function problemOf(pages: Pages, pagination: Pagination, page: Page, isComplete: boolean): PageProblem | undefined {
  const found = tooLong(pagination, page) ?? sameItems(pages, pagination, page);
  pages.bySize.set(String(page.limit), page);
  if (found !== undefined || !isComplete) return found;
  return tooShort(pages, pagination, page) ?? misplaced(pages, pagination, page);
}

function tooLong({ limit: name }: Pagination, { limit, ids }: Page): PageProblem | undefined {
  if (!(ids.length > Number(limit))) return undefined;
  const received = `${ids.length} items for ${String(limit)}`;
  return ["contradiction", "long-page", `${name} is the maximum number of items`, received];
}

function sameItems({ bySize }: Pages, { offset: name }: Pagination, page: Page): PageProblem | undefined {
  const { limit, offset, ids, text } = page;
  const other = bySize.get(String(limit)) ?? page;
  if (ids.length === 0 || other.text !== text || other.offset === offset) return undefined;
  const received = `the same items for ${String(other.offset)} and ${String(offset)}`;
  return ["contradiction", "same-page", `${name} is the number of items to skip`, received];
}

/** A page without items that other pages have shown at its positions. */
function tooShort(pages: Pages, { limit: name }: Pagination, { limit, offset, ids }: Page): PageProblem | undefined {
  const size = Math.min(Number(limit ?? 0), pages.longest);
  pages.longest = Math.max(pages.longest, ids.length);
  const known = Array.from({ length: size }, (_, index) => Number(offset) + index).filter((at) => pages.items.has(at));
  if (ids.length >= known.length) return undefined;
  const received = `${countOf(ids.length, "item")} for ${String(limit)}, after another page showed ${known.length}`;
  return ["doubt", "short-page", `${name} is the number of items, unless there are fewer`, received];
}

/** Stores items by position. Finds an item that isn't at the position of earlier pages. */
function misplaced(
  { items }: Pages,
  { offset: name }: Pagination,
  { offset, ids, hasIds }: Page,
): PageProblem | undefined {
  let wrong: string | undefined;
  for (const [index, id] of ids.entries()) {
    const position = Number(offset) + index;
    const [earlier] = [...items].find(([at, one]) => one === id && at !== position) ?? [];
    const other = items.get(position) ?? id;
    // Without an identifier, an item may contain anything.
    if (other !== id) wrong ??= hasIds ? `${id} as item ${position}, which was ${other}` : `another item ${position}`;
    else if (earlier !== undefined) wrong ??= `${hasIds ? id : "one"} as items ${earlier} and ${position}`;
    else items.set(position, id);
  }
  return wrong === undefined
    ? undefined
    : ["doubt", "misplaced-items", `${name} skips that number of items, and no item is repeated`, wrong];
}
