import { describe, expect, it } from "vitest";
import { ApiError, createClient, paginate } from "../../generated/v2/client.ts";
import { listOrganizationSchedules } from "../../generated/v2/operations.ts";
import { walkPages } from "../../scripts/client/index.ts";
import { startRecorder } from "./recorder.ts";

/** A server with a list of items that it gives by `take` and `skip`, and a walk over it. */
async function startList(length: number) {
  const all = Array.from({ length }, (_, id) => ({ id }));
  const server = await startRecorder(({ target }, response) => {
    const query = new URL(target, "http://list.example").searchParams;
    const skip = Number(query.get("skip"));
    response.end(JSON.stringify({ data: all.slice(skip, skip + Number(query.get("take"))) }));
  });
  const client = createClient({ baseUrl: server.url, auth: { apiKey: "svc_test" } });
  const walk = (query: { take: number; skip?: number }, signal: AbortSignal | null = null) =>
    paginate(listOrganizationSchedules, client, { params: { path: { orgId: 42 }, query }, signal });
  return { ...server, client, walk, queries: () => server.arrivals.map(({ target }) => target.split("?")[1]) };
}

const respond = (data: unknown) => Promise.resolve({ data, response: Response.json(data) });

describe("paginate", () => {
  it.each([
    [5, ["take=2&skip=0", "take=2&skip=2", "take=2&skip=4"]],
    [4, ["take=2&skip=0", "take=2&skip=2", "take=2&skip=4"]],
    [1, ["take=2&skip=0"]],
    [0, ["take=2&skip=0"]],
  ])("walks a list of %i items, up to a short page", async (length, queries) => {
    await using list = await startList(length);
    const ids: number[] = [];
    for await (const item of list.walk({ take: 2 })) ids.push(item.id);
    expect(ids).toEqual(Array.from({ length }, (_, id) => id));
    expect(list.queries()).toEqual(queries);
  });

  it("begins at the given offset", async () => {
    await using list = await startList(5);
    const ids: number[] = [];
    for await (const item of list.walk({ take: 2, skip: 3 })) ids.push(item.id);
    expect(ids).toEqual([3, 4]);
  });

  it("sends the parameters that it is given, of several names that lists have", async () => {
    const names = [
      ["limit", "offset"],
      ["take", "from"],
      ["take", "skip"],
    ] as const;
    const pages: unknown[] = [];
    const request = (_: unknown, init: unknown) => {
      pages.push(init);
      return respond(pages.length === 1 ? [1, 2] : []);
    };
    const walk = walkPages(names, request, {}, { params: { query: { take: 2, skip: 1 } } });
    const items: unknown[] = [];
    for await (const item of walk) items.push(item);
    expect(items).toEqual([1, 2]);
    expect(pages).toEqual([{ params: { query: { take: 2, skip: 1 } } }, { params: { query: { take: 2, skip: 3 } } }]);
  });

  it("accepts the function of an operation, and begins at its query's offset", async () => {
    await using list = await startList(5);
    const ids: number[] = [];
    const params = { path: { orgId: 42 }, query: { take: 2, skip: 1 } };
    for await (const { id } of paginate(listOrganizationSchedules, list.client, { params })) ids.push(id);
    expect(ids).toEqual([1, 2, 3, 4]);
    expect(list.queries()).toEqual(["take=2&skip=1", "take=2&skip=3", "take=2&skip=5"]);
    const aborted = { params, signal: AbortSignal.abort("no longer wanted") };
    await expect(paginate(listOrganizationSchedules, list.client, aborted).next()).rejects.toBe("no longer wanted");
  });

  it("throws the error of an operation, and an error for a page without a list", async () => {
    await using server = await startRecorder((_, response) => {
      response.writeHead(404).end("{}");
    });
    const client = createClient({ baseUrl: server.url, auth: { apiKey: "svc_test" } });
    const params = { path: { orgId: 42 }, query: { take: 2 } };
    await expect(paginate(listOrganizationSchedules, client, { params }).next()).rejects.toThrow(ApiError);

    const noList = walkPages([["take", "skip", "data"]], () => respond({ other: [] }), {}, { params });
    await expect(noList.next()).rejects.toThrow("the page has no list");
  });

  it("asks for nothing more when it is stopped", async () => {
    await using list = await startList(100);
    for await (const item of list.walk({ take: 2 })) if (item.id === 2) break;
    expect(list.queries()).toHaveLength(2);
  });

  it("ends with the reason of a signal, between pages and within a request", async () => {
    await using list = await startList(100);
    const between = new AbortController();
    const walk = async () => {
      for await (const item of list.walk({ take: 2 }, between.signal)) if (item.id === 1) between.abort();
    };
    await expect(walk()).rejects.toMatchObject({ name: "AbortError" });
    expect(list.queries()).toHaveLength(1);

    const within = new AbortController();
    await using silent = await startRecorder(() => {
      within.abort();
    });
    const client = createClient({ baseUrl: silent.url, auth: { apiKey: "svc_test" } });
    const params = { path: { orgId: 42 }, query: { take: 2 } };
    const stalled = paginate(listOrganizationSchedules, client, { params, signal: within.signal });
    await expect(stalled.next()).rejects.toMatchObject({ name: "AbortError" });
  });

  it("gives up on a list that does not page", async () => {
    const params = { query: { take: 2 } };
    const walk = walkPages([["take", "skip"]], () => respond([1, 2, 3]), {}, { params });
    await expect(walk.next()).rejects.toThrow("requested a page of 2 items and got 3");
  });

  it.each([0, -1, Number.NaN])("refuses pages of %d items", async (take) => {
    const walk = walkPages([["take", "skip"]], () => respond([]), {}, { params: { query: { take } } });
    await expect(walk.next()).rejects.toThrow(RangeError);
  });
});
