import type { ListInit } from "./paginate.ts";
import type { Body, CommonInit, Data, Failure, Init, InitArgument, Parameters, Success } from "./types.ts";
import { ApiError, NotSentError } from "./errors.ts";
import { isError } from "./hideSecrets.ts";
import { unwrap } from "./result.ts";

// In the structure of TanStack Query 5, without importing it. All functions reject as `unwrap` does.

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

/** The options of a call except the signal, which TanStack Query provides. */
export type QueryInit<Operation> = InitArgument<
  Body<Operation> & Parameters<Operation> & Omit<CommonInit<"json">, "signal">
>;

/** A query resolves to `null` if a call has no data, because TanStack Query doesn't allow `undefined`. */
export type QueryOf<Operation> = QueryOptions<Defined<Data<Operation>>>;
export type InfiniteQueryOf<Operation> = InfiniteQueryOptions<Data<Operation>>;
export type MutationOf<Operation> = MutationOptions<Data<Operation>, InitArgument<Init<Operation, "json">>[0]>;

type Defined<Body> = undefined extends Body ? Exclude<Body, undefined> | null : Body;

type Send<Init, Body> = (init: Init & { signal: AbortSignal }) => Promise<Success<Body> | Failure<unknown>>;

/** Some parameters of an operation, in which its queries are alike. */
export type KeyParams<Operation> = Operation extends { parameters: infer Places }
  ? { readonly [Place in keyof Places]?: Partial<NonNullable<Places[Place]>> | undefined }
  : never;

/** Creates the key prefix of an operation's queries. */
export function makeKey(operation: string, params: object | undefined): readonly unknown[] {
  return params ? [operation, params] : [operation];
}

/**
 * Decides whether TanStack Query sends a failed call again: at most three times, and only if it can succeed.
 * That excludes calls that weren't sent, responses that break the contract, and refusals (a status below 500,
 * except 408 and 429). It also excludes calls of a client with `fetchWithRetry`, which has already retried them.
 *
 * @example
 * // Pass these to `new QueryClient({ defaultOptions })`.
 * const defaultOptions = { queries: { retry: shouldRetry } };
 */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (failures >= 3 || error instanceof NotSentError) return false;
  // Not `instanceof ContractError`, which would load the schemas.
  if (isError(error) && error.name === "ContractError") return false;
  if (hasAttempts(error instanceof ApiError ? error.response : isError(error) && error.cause)) return false;
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 408 || error.status === 429;
}

/** Returns whether `fetchWithRetry` has counted its attempts in a response or in the cause of an error. */
function hasAttempts(end: unknown): boolean {
  return typeof end === "object" && end !== null && "attempts" in end && end.attempts !== undefined;
}

/** A key has only the parameters of a call, since headers may contain credentials. */
function keyOf([operation, ...others]: readonly string[], init: ListInit | undefined): readonly unknown[] {
  return [operation, { ...init?.params }, ...others];
}

/** Creates the options of a query. The key begins with the names of the generation and the operation. */
export function makeQuery<Init extends ListInit | undefined, Body>(
  names: readonly string[],
  init: Init,
  send: Send<Init, Body>,
): QueryOptions<Defined<Body>> {
  const queryFn: QueryOptions<unknown>["queryFn"] = async ({ signal }) => {
    const data: unknown = await unwrap(send({ ...init, signal }));
    return data ?? null;
  };
  // The compiler can't see that this is the type `Defined`.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  return { queryKey: keyOf(names, init), queryFn } as QueryOptions<Defined<Body>>;
}

/** The names of the two query parameters that page a list. */
interface Paging<Body> {
  /** The parameter for the page size. */
  readonly limit: string;
  /** The parameter for the offset. */
  readonly offset: string;
  readonly itemsOf: (page: Body) => readonly unknown[];
}

/** Creates the options of an infinite query of a paged list. */
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

/** Creates the options of a mutation. */
export function makeMutation<Variables, Body>(
  mutationKey: readonly string[],
  send: (variables: Variables) => Promise<Success<Body> | Failure<unknown>>,
): MutationOptions<Body, Variables> {
  return { mutationKey, mutationFn: (variables) => unwrap(send(variables)) };
}
