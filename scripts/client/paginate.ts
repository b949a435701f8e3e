/** The options of `paginate`: query parameters by their names, and a signal. */
export type PaginateOptions = {
  readonly [name: string]: number | AbortSignal | null | undefined;
  readonly signal?: AbortSignal | null | undefined;
};

/** Requests a page. The type of a method, because each list has parameters of its own. */
type GetPage<Item> = {
  get(page: Readonly<Record<string, number>>, signal: AbortSignal | null): Promise<readonly Item[]>;
}["get"];

/**
 * Iterates over a list that comes in pages. A page is requested when its first item is needed, so stopping early saves
 * requests. The iteration ends with the first page that is shorter than requested. `names` are pairs of query parameters
 * for how many items a page has and how many to skip; `position` has the values of one pair.
 * Throws the error of `getPage`, the reason of an aborted signal, or a {@link RangeError} if a page has more items than
 * requested: such a list is not paged, and the iteration would never end.
 */
export async function* walkPages<Item>(
  names: readonly (readonly [limit: string, offset: string])[],
  getPage: GetPage<Item>,
  position: Readonly<Record<string, unknown>>,
  signal: AbortSignal | null = null,
): AsyncGenerator<Item, void, undefined> {
  const given = names.filter(([name]) => position[name] !== undefined);
  const [limitName, offsetName] = given.find(([, name]) => position[name] !== undefined) ?? given[0] ?? ["", ""];
  const limit = Number(position[limitName]);
  if (!(limit >= 1)) throw new RangeError(`a page must have at least 1 item, not ${limit}`);
  for (let offset = Number(position[offsetName] ?? 0); ; offset += limit) {
    signal?.throwIfAborted();
    const items = await getPage({ [limitName]: limit, [offsetName]: offset }, signal);
    if (items.length > limit) throw new RangeError(`requested a page of ${limit} items and got ${items.length}`);
    yield* items;
    if (items.length < limit) return;
  }
}
