import createFetchClient, { type Client, type ClientOptions, type FetchOptions, type ParseAs } from "openapi-fetch";
import { createOpenApiHttp } from "openapi-msw";
import createQueryClient from "openapi-react-query";
import { createQueryHook } from "swr-openapi";
import { describe, expectTypeOf, it } from "vitest";
import * as v1 from "../../generated/v1/client.ts";
import * as v2 from "../../generated/v2/client.ts";
import { createContractClient } from "../../scripts/client/index.ts";

const contract = { schemes: {}, facts: [{}] };
const client = v2.createClient({ baseUrl: "http://127.0.0.1:4010", auth: { apiKey: "svc_test" } });
const teamPath = "/v2/organizations/{orgId}/teams/{teamId}";
const params = { path: { orgId: 42, teamId: 7 } };

it("is a client of openapi-fetch", () => {
  expectTypeOf(client).toExtend<Client<v2.paths>>();
  expectTypeOf(v1.createClient({ baseUrl: "" })).toExtend<Client<v1.paths>>();
});

it("takes the options, the calls and the middleware of openapi-fetch", () => {
  expectTypeOf<ClientOptions & { baseUrl: string }>().toExtend<v2.ClientOptions>();
  // Calls decide these, and a client doesn't use them.
  type Unused = "body" | "method" | "window";
  expectTypeOf<Exclude<keyof ClientOptions, keyof v2.ClientOptions>>().toEqualTypeOf<Unused>();
  type Operation = v2.Operations["post"]["/v2/oauth-clients/{clientId}/users"];
  type Theirs = FetchOptions<Operation>;
  type Ours = v2.Init<Operation, ParseAs>;
  // A call is named by its method, which options cannot change. `window` can only be null.
  expectTypeOf<Omit<Theirs, "method" | "window">>().toExtend<Ours>();
  expectTypeOf<Exclude<keyof Theirs, keyof Ours>>().toEqualTypeOf<"method" | "window">();
  expectTypeOf(client.use).toEqualTypeOf<Client<v2.paths>["use"]>();
  expectTypeOf(client.eject).toEqualTypeOf<Client<v2.paths>["eject"]>();
});

it("is stricter than a client of openapi-fetch", async () => {
  interface Paths {
    "/things": {
      get: {
        parameters: { query?: { take?: number } };
        responses: { 200: { content: { "application/json": string } } };
      };
    };
  }
  const theirs = createFetchClient<Paths>({ baseUrl: "" });
  const { error } = await theirs.GET("/things");
  expectTypeOf(error).toEqualTypeOf<undefined>();
  const ours = createContractClient<{ get: { "/things": Paths["/things"]["get"] } }, Paths>(contract, { baseUrl: "" });
  const failure = await ours.GET("/things");
  expectTypeOf(failure.error).toEqualTypeOf<unknown>();

  void theirs.GET("/things", { param: {} });
  // @ts-expect-error -- misspelt
  void ours.GET("/things", { param: {} });
});

describe("openapi-react-query", () => {
  const api = createQueryClient(client);

  it("accepts the client unchanged", () => {
    const result = api.useQuery("get", teamPath, { params });
    expectTypeOf(result.data?.data).toEqualTypeOf<v2.Team | undefined>();
    // @ts-expect-error -- there is no such path
    api.useQuery("get", "/v2/teams");
    // @ts-expect-error -- a parameter is missing
    api.useQuery("get", teamPath, { params: { path: { orgId: 42 } } });
  });

  it("sees the paths of a contract that has operations of all methods", () => {
    type Methods = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";
    interface Show {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": string } } };
    }
    type Operations = Record<Methods, { "/things/{id}": Show }>;
    interface Paths {
      "/things/{id}": Record<Methods, Show>;
    }
    const things = createContractClient<Operations, Paths>(contract, { baseUrl: "" });
    expectTypeOf(things).toExtend<Client<Paths>>();
    const { data } = createQueryClient(things).useQuery("get", "/things/{id}", { params: { path: { id: "1" } } });
    expectTypeOf(data).toEqualTypeOf<string | undefined>();
  });

  it("needs no header that has only one value", () => {
    api.useMutation("delete", "/v2/event-types/{eventTypeId}").mutate({ params: { path: { eventTypeId: 15 } } });
  });
});

it("swr-openapi accepts the client unchanged", () => {
  const useQuery = createQueryHook(client, "v2");
  const { data } = useQuery(teamPath, { params });
  expectTypeOf(data?.data).toEqualTypeOf<v2.Team | undefined>();
  // @ts-expect-error -- there is no such path
  useQuery("/v2/teams");
});

it("openapi-msw takes the paths", () => {
  const http = createOpenApiHttp<v2.paths>({ baseUrl: "http://127.0.0.1:4010" });
  http.get(teamPath, ({ params: { teamId }, response }) => {
    expectTypeOf(teamId).toEqualTypeOf<string>();
    return response.untyped(Response.json({}));
  });
  // @ts-expect-error -- there is no such path
  http.get("/v2/teams", () => undefined);
});
