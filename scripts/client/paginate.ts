import type { Failure, Success } from "./types.ts";
import { unwrap } from "./result.ts";

/** The query parameters for the page size and the offset, and the names of lists in a page. */
type ListNames = readonly [limit: string, offset: string, ...lists: readonly string[]];

/** The items of a page, which is an array or contains one. */
export type ItemOf<Page, Name> = Page extends readonly (infer Item)[]
  ? Item
  : NonNullable<Page[keyof Page & Name]> extends readonly (infer Item)[]
    ? Item
    : never;

type Members = Readonly<Record<string, unknown>>;

/** The options of a call that concern lists. */
export interface ListInit {
  readonly params?: { readonly query?: Members | undefined } | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** The function of an operation. It has a method's type, because the parameters of lists differ. */
export type ListCall = {
  call(client: unknown, init: unknown): Promise<Success<unknown> | Failure<unknown>>;
}["call"];

/**
 * Iterates over a paged list until a page is shorter than requested. Throws the error of a call, the reason
 * of an aborted signal, or a {@link TypeError} if there is no list. Throws a {@link RangeError} if a page has
 * more items than requested: the list isn't paged then, and the iteration would never end.
 */
export async function* walkPages(
  names: readonly ListNames[],
  operation: ListCall,
  client: object,
  init: ListInit,
): AsyncGenerator<unknown, void, undefined> {
  const { params, signal } = init;
  const query = params?.query ?? {};
  const used = names.filter(([name]) => query[name] !== undefined);
  const [limitName, offsetName] = used.find(([, name]) => query[name] !== undefined) ?? used[0] ?? ["", ""];
  const limit = Number(query[limitName]);
  if (!(limit >= 1)) throw new RangeError(`a page must have at least 1 item, not ${limit}`);
  for (let offset = Number(query[offsetName] ?? 0); ; offset += limit) {
    signal?.throwIfAborted();
    const page = { ...query, [limitName]: limit, [offsetName]: offset };
    const items = listIn(await unwrap(operation(client, { ...init, params: { ...params, query: page } })), names);
    if (items.length > limit) throw new RangeError(`requested a page of ${limit} items and got ${items.length}`);
    yield* items;
    if (items.length < limit) return;
  }
}

function listIn(page: unknown, names: readonly ListNames[]): readonly unknown[] {
  if (isArray(page)) return page;
  const members = Object.entries<unknown>({ ...(typeof page === "object" && page) });
  for (const [name, value] of members) {
    if (names.some(([, , ...lists]) => lists.includes(name)) && isArray(value)) return value;
  }
  throw new TypeError("the page has no list");
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
