/**
 * Iterates over a list that comes in pages of `limit` items, starting at `offset`. A page is requested when its first item
 * is needed, so stopping early saves requests. The iteration ends with the first page that is shorter than requested.
 * Throws the error of `getPage`, the reason of an aborted signal, or a {@link RangeError} if a page has more items than
 * requested: such a list is not paged, and the iteration would never end.
 */
export async function* walkPages<Item>(
  getPage: (limit: number, offset: number, signal: AbortSignal | null) => Promise<readonly Item[]>,
  limit: number,
  offset = 0,
  signal: AbortSignal | null = null,
): AsyncGenerator<Item, void, undefined> {
  if (!(limit >= 1)) throw new RangeError(`a page must have at least 1 item, not ${limit}`);
  for (let position = offset; ; position += limit) {
    signal?.throwIfAborted();
    const items = await getPage(limit, position, signal);
    if (items.length > limit) throw new RangeError(`requested a page of ${limit} items and got ${items.length}`);
    yield* items;
    if (items.length < limit) return;
  }
}
