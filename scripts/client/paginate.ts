import type { Failure, Success } from "./types.ts";
import { unwrap } from "./result.ts";

/** Query parameters for how many items a page has and how many to skip, and the names that lists have in a page. */
type ListNames = readonly [limit: string, offset: string, ...lists: readonly string[]];

/** The items of a page, which is an array or has one under a name. */
export type ItemOf<Page, Name> = Page extends readonly (infer Item)[]
  ? Item
  : NonNullable<Page[keyof Page & Name]> extends readonly (infer Item)[]
    ? Item
    : never;

type Members = Readonly<Record<string, unknown>>;

/** The options of a call, as far as they matter to lists. */
export interface ListInit {
  readonly params?: { readonly query?: Members | undefined } | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** Requests a page. The type of a method, because each list has parameters of its own. */
export type ListCall = {
  call(first: unknown, second: unknown): Promise<readonly unknown[] | Success<unknown> | Failure<unknown>>;
}["call"];

/**
 * Iterates over a list that comes in pages. A page is requested when its first item is needed, so stopping early saves
 * requests. The iteration ends with the first page that is shorter than requested. With `init`, pages come from the function
 * of an operation, which `given` is the client for; without, `given` has query parameters of one of the `names`.
 * Throws the error of a call, the reason of an aborted signal, a {@link TypeError} if there is no list, or a
 * {@link RangeError} if a page has more items than requested: such a list is not paged, and the iteration would never end.
 */
export async function* walkPages(
  names: readonly ListNames[],
  request: ListCall,
  given: object,
  init?: ListInit,
): AsyncGenerator<unknown, void, undefined> {
  const options: Members & ListInit = init ? { ...init.params?.query, ...init } : { ...given };
  const { params, signal = null, ...position } = options;
  const used = names.filter(([name]) => position[name] !== undefined);
  const [limitName, offsetName] = used.find(([, name]) => position[name] !== undefined) ?? used[0] ?? ["", ""];
  const limit = Number(position[limitName]);
  if (!(limit >= 1)) throw new RangeError(`a page must have at least 1 item, not ${limit}`);
  for (let offset = Number(position[offsetName] ?? 0); ; offset += limit) {
    signal?.throwIfAborted();
    const page = { [limitName]: limit, [offsetName]: offset };
    const query = { ...params?.query, ...page };
    const received = await (init ? request(given, { ...init, params: { ...params, query } }) : request(page, signal));
    const items = isArray(received) ? received : await listIn(received, names);
    if (items.length > limit) throw new RangeError(`requested a page of ${limit} items and got ${items.length}`);
    yield* items;
    if (items.length < limit) return;
  }
}

/** The list in the result of a call. Throws a {@link TypeError} for what is only the body of one, or has no list. */
async function listIn(result: object, names: readonly ListNames[]): Promise<readonly unknown[]> {
  const body = isResult(result) ? await unwrap(Promise.resolve(result)) : result;
  if (isArray(body)) return body;
  const members = Object.entries<unknown>({ ...(typeof body === "object" && body) });
  const [name = "items", list] =
    members.find(([name, value]) => names.some(([, , ...lists]) => lists.includes(name)) && isArray(value)) ?? [];
  if (isResult(result) && isArray(list)) return list;
  throw new TypeError(`a page must be an array, such as (await unwrap(call)).${name}, and not the whole body`);
}

function isResult(value: object): value is Success<unknown> | Failure<unknown> {
  return "response" in value;
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
