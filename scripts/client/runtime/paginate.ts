/** What a page is asked for with. */
export interface Page {
  readonly take: number;
  readonly skip: number;
}

export interface PaginateOptions {
  /** Items in a page. Take no more than the service gives at once, because a shorter page is taken for the last. */
  readonly take: number;
  /** Items to pass over before the first; none by default. */
  readonly skip?: number | undefined;
  /** Ends the walk; it is handed to `getPage` too. */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Walks a list that comes in pages, item by item. A page is asked for when its first item is wanted, so whoever stops
 * early asks for no more. It ends with the first page that is shorter than asked for.
 * Throws what `getPage` throws, the reason of an aborted signal, and an error where a page holds more than asked for:
 * such a list does not page, and walking on would never end.
 */
export async function* paginate<Item>(
  getPage: (page: Page, signal: AbortSignal | null) => Promise<readonly Item[]>,
  { take, skip = 0, signal = null }: PaginateOptions,
): AsyncGenerator<Item, void, undefined> {
  if (!(take >= 1)) throw new RangeError(`take must be at least 1, not ${take}`);
  for (let passed = skip; ; passed += take) {
    signal?.throwIfAborted();
    const items = await getPage({ take, skip: passed }, signal);
    if (items.length > take) throw new RangeError(`a page of ${take} was asked for, and ${items.length} items came`);
    yield* items;
    if (items.length < take) return;
  }
}
