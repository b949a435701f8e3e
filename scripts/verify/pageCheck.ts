import type { readResources } from "../contract/resources.ts";
import { resourcesIn } from "../contract/resources.ts";
import { recall } from "../contract/text.ts";
import type { CheckContext } from "../exchange/checkResponse.ts";
import { pointerTo } from "../exchange/describedValues.ts";
import type { Observe } from "./observation.ts";

interface Page {
  readonly offset: unknown;
  readonly text: string;
}

/** The items that an operation has listed for one combination of other parameters. */
interface Pages {
  /** By the value of the limit parameter. */
  readonly bySize: Map<string, Page>;
  /** The items by their positions. */
  readonly items: Map<number, string>;
  /** True if a contradiction between pages was reported. */
  isTold: boolean;
}

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
    check: ({ operation, query, observe }: CheckContext & { readonly observe: Observe }, value: unknown): void => {
      const { pagination } = operation;
      const { view, type } = resources.get(operation) ?? {};
      if (pagination === undefined || view?.isList !== true) return;
      const { limit: limitName, offset: offsetName } = pagination;
      const { [limitName]: limit, [offsetName]: offset = "0", ...others } = query;
      const resourcesShown = resourcesIn(value, view);
      const place = pointerTo(operation, "parameters");
      const key = JSON.stringify([operation.name, others]);
      const pages = recall(lists, key, (): Pages => ({ bySize: new Map(), items: new Map(), isTold: false }));
      if (resourcesShown.length > Number(limit)) {
        const received = `${resourcesShown.length} items for ${String(limit)}`;
        observe("contradiction", place, `${limitName} is the maximum number of items`, received);
        pages.isTold = true;
      }
      // Other problems of these pages have the same cause.
      if (pages.isTold) return;
      const page = { offset, text: JSON.stringify(resourcesShown) };
      const other = pages.bySize.get(String(limit)) ?? page;
      pages.bySize.set(String(limit), page);
      if (resourcesShown.length > 0 && other.text === page.text && other.offset !== offset) {
        const received = `the same items for ${String(other.offset)} and ${String(offset)}`;
        observe("contradiction", place, `${offsetName} is the number of items to skip`, received);
        pages.isTold = true;
        return;
      }
      if (!isComplete) return;
      const [idName] = [...(type?.keys ?? []), "id"].filter((name) => resourcesShown.every((one) => name in one));
      const ids = resourcesShown.map((one) => JSON.stringify(idName === undefined ? one : one[idName]));
      const wrong = misplaced(pages.items, Number(offset), ids);
      if (wrong === undefined) return;
      pages.isTold = true;
      observe("doubt", place, `${offsetName} skips that number of items, and no item is repeated`, wrong);
    },
  };
}

/** Stores items by position. Returns a sentence if one isn't at the position of earlier pages. */
function misplaced(items: Map<number, string>, offset: number, ids: readonly string[]): string | undefined {
  let wrong: string | undefined;
  for (const [index, id] of ids.entries()) {
    const position = offset + index;
    const [earlier] = [...items].find(([at, one]) => one === id && at !== position) ?? [];
    const other = items.get(position) ?? id;
    if (other !== id) wrong ??= `${id} as item ${position}, which was ${other}`;
    else if (earlier !== undefined) wrong ??= `${id} as items ${earlier} and ${position}`;
    else items.set(position, id);
  }
  return wrong;
}
