import type { ListInit } from "./paginate.ts";
import type { Data, Failure, InitArgument, InitOfOne, Success } from "./types.ts";
import { unwrap } from "./result.ts";

// In the structure of TanStack Query 5, of which nothing is imported. All functions here reject as `unwrap` does.

type QueryOptions<Body> = {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Body>;
};

type InfiniteQueryOptions<Body> = {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: number }) => Promise<Body>;
  readonly initialPageParam: number;
  readonly getNextPageParam: (page: Body, pages: readonly Body[], offset: number) => number | undefined;
};

type MutationOptions<Body, Variables> = {
  readonly mutationKey: readonly unknown[];
  readonly mutationFn: (variables: Variables) => Promise<Body>;
};

/** The options of a call, without a signal: that is TanStack Query's. */
export type QueryInit<Operation> = InitArgument<Omit<InitOfOne<Operation, "json">, "signal">>;

/** A query resolves to `null` where a call has no data, because TanStack Query refuses `undefined`. */
export type QueryOf<Operation> = QueryOptions<Defined<Data<Operation>>>;
export type InfiniteQueryOf<Operation> = InfiniteQueryOptions<Data<Operation>>;
export type MutationOf<Operation> = MutationOptions<Data<Operation>, InitArgument<InitOfOne<Operation, "json">>[0]>;

type Defined<Body> = undefined extends Body ? Exclude<Body, undefined> | null : Body;

type Send<Init, Body> = (init: Init & { signal: AbortSignal }) => Promise<Success<Body> | Failure<unknown>>;

/** A key has no options of a call but its parameters: headers may contain credentials. */
function keyOf([operation, ...others]: readonly string[], init: ListInit | undefined): readonly unknown[] {
  return [operation, { ...init?.params }, ...others];
}

/** Makes the options of a query of an operation and a generation by their names. */
export function makeQuery<Init extends ListInit | undefined, Body>(
  names: readonly string[],
  init: Init,
  send: Send<Init, Body>,
): QueryOptions<Defined<Body>> {
  const queryFn: QueryOptions<unknown>["queryFn"] = async ({ signal }) => {
    const data: unknown = await unwrap(send({ ...init, signal }));
    return data ?? null;
  };
  // The compiler does not see that this is what `Defined` says.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return { queryKey: keyOf(names, init), queryFn } as QueryOptions<Defined<Body>>;
}

/** How a list is paged: by two query parameters, which have these names. */
interface Paging<Body> {
  /** The one for how many items a page has. */
  readonly limit: string;
  /** The one for how many items to skip. */
  readonly offset: string;
  readonly itemsOf: (page: Body) => readonly unknown[];
}

/** Makes the options of an infinite query of a list that is paged. */
export function makeInfiniteQuery<Init extends ListInit | undefined, Body>(
  names: readonly string[],
  init: Init,
  send: Send<Init, Body>,
  paging: Paging<Body>,
): InfiniteQueryOptions<Body> {
  const query = init?.params?.query;
  const limit = query?.[paging.limit];
  return {
    queryKey: keyOf([...names, "infinite"], init),
    queryFn: ({ pageParam, signal }) => {
      const params = { ...init?.params, query: { ...query, [paging.offset]: pageParam } };
      return unwrap(send({ ...init, params, signal }));
    },
    initialPageParam: Number(query?.[paging.offset] ?? 0),
    getNextPageParam: (page, _, offset) => {
      const { length } = paging.itemsOf(page);
      const isLast = limit === undefined ? length === 0 : length !== Number(limit);
      return isLast ? undefined : offset + length;
    },
  };
}

/** Makes the options of a mutation. */
export function makeMutation<Variables, Body>(
  mutationKey: readonly string[],
  send: (variables: Variables) => Promise<Success<Body> | Failure<unknown>>,
): MutationOptions<Body, Variables> {
  return { mutationKey, mutationFn: (variables) => unwrap(send(variables)) };
}
