/**
 * Options for TanStack Query 5. They have its structure, and nothing of it is imported.
 *
 * @module
 *
 * @example
 * const load = <Body>({ queryFn }: QueryOptions<Body>) => queryFn({ signal: AbortSignal.timeout(5_000) });
 */

import type { Data, Failure, InitArgument, InitOfOne, Success } from "./types.ts";
import { unwrap } from "./unwrap.ts";

/** The options of a query, which rejects as `unwrap` does. */
export interface QueryOptions<Body> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Body>;
}

/** The options of an infinite query, which ends with the first page that is shorter than requested. */
export interface InfiniteQueryOptions<Body> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: number }) => Promise<Body>;
  readonly initialPageParam: number;
  readonly getNextPageParam: (page: Body, pages: readonly Body[], offset: number) => number | undefined;
}

/** The options of a mutation, whose variables are the options of a call. It rejects as `unwrap` does. */
export interface MutationOptions<Body, Variables> {
  readonly mutationKey: readonly unknown[];
  readonly mutationFn: (variables: Variables) => Promise<Body>;
}

/** The options of a call, without a signal: that is TanStack Query's. */
export type QueryInit<Operation> = InitArgument<Omit<InitOfOne<Operation, "json">, "signal">>;

/** A query resolves to `null` where a call has no data, because TanStack Query refuses `undefined`. */
export type QueryOf<Operation> = QueryOptions<Defined<Data<Operation>>>;
export type InfiniteQueryOf<Operation> = InfiniteQueryOptions<Data<Operation>>;
export type MutationOf<Operation> = MutationOptions<Data<Operation>, InitArgument<InitOfOne<Operation, "json">>[0]>;

type Defined<Body> = undefined extends Body ? Exclude<Body, undefined> | null : Body;

interface Parameterized {
  readonly params?: { readonly query?: Readonly<Record<string, unknown>> | undefined } | undefined;
}

type Send<Init, Body> = (init: Init & { signal: AbortSignal }) => Promise<Success<Body> | Failure<unknown>>;

/** A key has no options of a call but its parameters: headers may contain credentials. */
function keyOf([operation, ...others]: readonly string[], init: Parameterized | undefined): readonly unknown[] {
  return [operation, { ...init?.params }, ...others];
}

/** Makes the options of a query. `names` are those of its operation and its generation. */
export function query<Init extends Parameterized | undefined, Body>(
  names: readonly string[],
  init: Init,
  send: Send<Init, Body>,
): QueryOptions<Defined<Body>>;
export function query<Init extends Parameterized | undefined>(
  names: readonly string[],
  init: Init,
  send: Send<Init, unknown>,
): QueryOptions<unknown> {
  const queryFn: QueryOptions<unknown>["queryFn"] = async ({ signal }) =>
    (await unwrap(send({ ...init, signal }))) ?? null;
  return { queryKey: keyOf(names, init), queryFn };
}

/** Makes the options of an infinite query of a list that is paged by two query parameters. */
export function infiniteQuery<Init extends Parameterized | undefined, Body>(
  names: readonly string[],
  init: Init,
  send: Send<Init, Body>,
  [limitName, offsetName]: readonly [limit: string, offset: string],
  itemsOf: (page: Body) => readonly unknown[],
): InfiniteQueryOptions<Body> {
  const query = init?.params?.query;
  const limit = query?.[limitName];
  return {
    queryKey: keyOf([...names, "infinite"], init),
    queryFn: ({ pageParam, signal }) => {
      const params = { ...init?.params, query: { ...query, [offsetName]: pageParam } };
      return unwrap(send({ ...init, params, signal }));
    },
    initialPageParam: Number(query?.[offsetName] ?? 0),
    getNextPageParam: (page, _, offset) => {
      const { length } = itemsOf(page);
      const isLast = limit === undefined ? length === 0 : length !== Number(limit);
      return isLast ? undefined : offset + length;
    },
  };
}

/** Makes the options of a mutation. */
export function mutation<Variables, Body>(
  mutationKey: readonly string[],
  send: (variables: Variables) => Promise<Success<Body> | Failure<unknown>>,
): MutationOptions<Body, Variables> {
  return { mutationKey, mutationFn: (variables) => unwrap(send(variables)) };
}
