// @vitest-environment happy-dom
import {
  infiniteQueryOptions,
  QueryClient,
  QueryClientProvider,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useSuspenseQuery,
} from "@tanstack/react-query";
import { createElement, Suspense, type FunctionComponent } from "react";
import { createRoot } from "react-dom/client";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as v1 from "../../generated/v1/client.ts";
import { getAttendeeQuery } from "../../generated/v1/queries.ts";
import { ContractError } from "../../scripts/client/contractSchemas.ts";
import { fetchWithRetry, fetchWithTimeout } from "../../scripts/client/fetch.ts";
import { makeQuery } from "../../scripts/client/queries.ts";
import { ApiError, createClient, NotSentError, type Team } from "../../generated/v2/client.ts";
import {
  deleteEventTypeMutation,
  getOrganizationTeamKey,
  getOrganizationTeamQuery,
  listOrganizationSchedulesKey,
  listOrganizationSchedulesInfiniteQuery,
  listOrganizationSchedulesQuery,
  rescheduleBookingMutation,
  shouldRetry,
} from "../../generated/v2/queries.ts";

/** A client whose service answers a request like this, and the requests. */
function createAnsweringClient(answer: (request: Request) => unknown) {
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: "http://service.example",
    auth: { apiKey: "svc_secret" },
    fetch: async (request) => {
      sent.push(request);
      const answered = await answer(request);
      return answered instanceof Response ? answered : Response.json(answered);
    },
  });
  return { client, sent };
}

const params = { path: { orgId: 42, teamId: 7 } };
const team = { status: "success", data: { name: "Physiotherapy" } };

/** Schedules as the service pages them: five in all. */
const schedules = ({ url }: Request) => {
  const { searchParams } = new URL(url);
  const skip = Number(searchParams.get("skip"));
  const data = [0, 1, 2, 3, 4].slice(skip, skip + Number(searchParams.get("take") ?? 5)).map((id) => ({ id }));
  return { status: "success", data };
};

/** What a component tells in the end. */
async function resultOf<Result>(component: (tell: (result: Result) => void) => void): Promise<Result> {
  const root = createRoot(document.createElement("div"));
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  try {
    return await new Promise((resolve) => {
      const Component: FunctionComponent = () => {
        component(resolve);
        return null;
      };
      const suspended = createElement(Suspense, { fallback: null }, createElement(Component));
      root.render(createElement(QueryClientProvider, { client: queryClient }, suspended));
    });
  } finally {
    root.unmount();
  }
}

describe("a query", () => {
  it("returns typed data and selections from useQuery and useSuspenseQuery", async () => {
    const { client } = createAnsweringClient(() => team);
    const names = await resultOf<string>((tell) => {
      const query = useQuery(getOrganizationTeamQuery(client, { params }));
      expectTypeOf(query.data?.data).toEqualTypeOf<Team | undefined>();
      const { data: name } = useQuery({
        ...getOrganizationTeamQuery(client, { params }),
        select: ({ data }) => data.name,
      });
      expectTypeOf(name).toEqualTypeOf<string | undefined>();
      const { data } = useSuspenseQuery(getOrganizationTeamQuery(client, { params }));
      expectTypeOf(data.data).toEqualTypeOf<Team>();
      if (name !== undefined) tell(`${data.data.name}, ${name}`);
    });
    expect(names).toBe("Physiotherapy, Physiotherapy");
  });

  it("has the error that a call throws", async () => {
    const { client } = createAnsweringClient(() => Response.json({}, { status: 404 }));
    const status = await resultOf<number>((tell) => {
      const { error } = useQuery(getOrganizationTeamQuery(client, { params }));
      expectTypeOf(error).toEqualTypeOf<Error | null>();
      if (error instanceof ApiError) tell(error.status);
    });
    expect(status).toBe(404);
  });

  it("has a key of the operation, its parameters and its generation, and no credentials", () => {
    const { client } = createAnsweringClient(() => team);
    const headers = { authorization: "Bearer svc_secret" };
    const options = getOrganizationTeamQuery(client, { params, headers });
    expect(options.queryKey).toEqual(["getOrganizationTeam", params, "v2"]);
    const old = getAttendeeQuery(v1.createClient({ baseUrl: "http://service.example" }), {
      params: { path: { id: 1 } },
    });
    expect(old.queryKey).toEqual(["getAttendee", { path: { id: 1 } }, "v1"]);
  });

  it("ends its request when it is cancelled, and takes no signal of its own", async () => {
    const { client, sent } = createAnsweringClient(() => new Promise(() => undefined));
    const queryClient = new QueryClient();
    const loading = queryClient.query(getOrganizationTeamQuery(client, { params }));
    await expect.poll(() => sent.length).toBe(1);
    await Promise.all([expect(loading).rejects.toThrow(), queryClient.cancelQueries()]);
    expect(sent[0]?.signal.aborted).toBe(true);
    // @ts-expect-error -- it would never be used
    getOrganizationTeamQuery(client, { params, signal: AbortSignal.timeout(1) });
  });

  it("has the type of queryOptions in the cache", async () => {
    const { client } = createAnsweringClient(() => team);
    const queryClient = new QueryClient();
    const options = queryOptions(getOrganizationTeamQuery(client, { params }));
    await queryClient.query(options);
    const cached = queryClient.getQueryData(options.queryKey);
    expectTypeOf(cached?.data).toEqualTypeOf<Team | undefined>();
    expect(cached?.data.name).toBe("Physiotherapy");
  });

  it("has null in place of no data, which TanStack Query refuses", async () => {
    const none = { data: undefined, response: new Response(null, { status: 204 }) };
    const options = makeQuery(["getNothing", "v2"], undefined, () => Promise.resolve(none));
    expect(await new QueryClient().query(options)).toBeNull();
  });

  it("is invalidated by the beginning of its key, and by some of its parameters", async () => {
    const { client } = createAnsweringClient(() => team);
    const queryClient = new QueryClient();
    const of = (orgId: number) => getOrganizationTeamQuery(client, { params: { path: { orgId, teamId: 7 } } });
    const stale = () => [42, 43].filter((orgId) => queryClient.getQueryState(of(orgId).queryKey)?.isInvalidated);
    await Promise.all([42, 43].map((orgId) => queryClient.query(of(orgId))));
    await queryClient.invalidateQueries({ queryKey: getOrganizationTeamKey({ path: { orgId: 43 } }) });
    expect(stale()).toEqual([43]);
    await queryClient.invalidateQueries({ queryKey: listOrganizationSchedulesKey() });
    expect(stale()).toEqual([43]);
    await queryClient.invalidateQueries({ queryKey: getOrganizationTeamKey() });
    expect(stale()).toEqual([42, 43]);
    // @ts-expect-error -- misspelt
    getOrganizationTeamKey({ path: { orgID: 43 } });
    // @ts-expect-error -- another type
    getOrganizationTeamKey({ path: { orgId: "43" } });
  });

  it("is sent again only if it can succeed", async () => {
    const requestsOf = async (status: number) => {
      let sent = 0;
      const client = createClient({
        baseUrl: "http://service.example",
        auth: "none",
        fetch: () => Promise.resolve(Response.json({}, { status: (sent += 1) && status })),
      });
      const queryClient = new QueryClient({ defaultOptions: { queries: { retry: shouldRetry, retryDelay: 0 } } });
      await expect(queryClient.query(getOrganizationTeamQuery(client, { params }))).rejects.toThrow();
      return sent;
    };
    const counts = [400, 404, 408, 429, 503].map((status) => requestsOf(status));
    expect(await Promise.all(counts)).toEqual([1, 1, 4, 4, 4]);
    const unsent = new NotSentError({ method: "GET", path: "/" }, "it can't be");
    const violating = new ContractError({ method: "GET", path: "/" }, 200, []);
    expect([unsent, violating].map((error) => shouldRetry(0, error))).toEqual([false, false]);
  });
});

it.each([
  ["a response", () => Response.json({}, { status: 503 })],
  // The client makes a copy of this one.
  ["a response with a credential", () => Response.json({}, { status: 503, headers: { "x-key": "svc_secret" } })],
  ["an error", () => new TypeError("reset")],
])("fetchWithRetry and shouldRetry send a call four times together after %s", async (_, end) => {
  let sent = 0;
  const client = createClient({
    baseUrl: "http://service.example",
    auth: { apiKey: "svc_secret" },
    fetch: fetchWithRetry({
      maxWait: 0,
      fetch: async () => {
        sent += 1;
        const ended = await Promise.resolve(end());
        if (ended instanceof Error) throw ended;
        return ended;
      },
    }),
  });
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: shouldRetry, retryDelay: 0 } } });
  await expect(queryClient.query(getOrganizationTeamQuery(client, { params }))).rejects.toThrow();
  expect(sent).toBe(4);
});

it.each(["an attempt", "a wait"])(
  "shouldRetry repeats no call of fetchWithRetry whose timeout ends %s",
  async (ends) => {
    let sent = 0;
    const client = createClient({
      baseUrl: "http://service.example",
      auth: "none",
      fetch: fetchWithTimeout({
        timeout: 5,
        fetch: fetchWithRetry({
          fetch: (_, { signal } = {}) => {
            sent += 1;
            if (ends === "a wait")
              return Promise.resolve(new Response(null, { status: 503, headers: { "retry-after": "9" } }));
            return new Promise((__, reject) => {
              signal?.addEventListener("abort", () => {
                reject(new Error("aborted", { cause: signal.reason }));
              });
            });
          },
        }),
      }),
    });
    const queryClient = new QueryClient({ defaultOptions: { queries: { retry: shouldRetry, retryDelay: 0 } } });
    await expect(queryClient.query(getOrganizationTeamQuery(client, { params }))).rejects.toThrow();
    expect(sent).toBe(1);
  },
);

describe("an infinite query", () => {
  it("loads one page after the other, up to a short one", async () => {
    const { client, sent } = createAnsweringClient(schedules);
    const options = { params: { path: { orgId: 42 }, query: { take: 2, skip: 2 } } };
    const ids = await resultOf<number[]>((tell) => {
      const { data, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery(
        listOrganizationSchedulesInfiniteQuery(client, options),
      );
      if (hasNextPage && !isFetching) void fetchNextPage();
      if (data && !hasNextPage) tell(data.pages.flatMap((page) => page.data.map(({ id }) => id)));
    });
    expect(ids).toEqual([2, 3, 4]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([2, 4].map((skip) => `?take=2&skip=${skip}`));
  });

  it("without a limit, ends with an empty page, and has another key than the plain query", async () => {
    const { client, sent } = createAnsweringClient(schedules);
    const init = { params: { path: { orgId: 42 } } };
    const options = infiniteQueryOptions(listOrganizationSchedulesInfiniteQuery(client, init));
    expect(options.queryKey).not.toEqual(listOrganizationSchedulesQuery(client, init).queryKey);
    const { pageParams } = await new QueryClient().infiniteQuery({ ...options, pages: 3 });
    expect(pageParams).toEqual([0, 5]);
    expect(sent).toHaveLength(2);
  });
});

describe("a mutation", () => {
  it("sends its variables, and is typed by the operation", async () => {
    const { client, sent } = createAnsweringClient(() => ({ status: "success", data: { id: 15 } }));
    const id = await resultOf<unknown>((tell) => {
      const { mutate, data, isIdle } = useMutation(deleteEventTypeMutation(client));
      if (isIdle) mutate({ params: { path: { eventTypeId: 15 } } });
      if (data) tell(data.data);
      const reschedule = useMutation(rescheduleBookingMutation(client));
      expectTypeOf(reschedule.data?.data.rescheduledFromUid).toEqualTypeOf<string | undefined>();
      expectTypeOf(reschedule.error).toEqualTypeOf<Error | null>();
      // @ts-expect-error -- the body is missing
      reschedule.mutate satisfies (variables: { params: { path: { bookingUid: string } } }) => void;
    });
    expect(id).toEqual({ id: 15 });
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "DELETE http://service.example/v2/event-types/15",
    ]);
  });
});
