// @vitest-environment happy-dom
import { QueryClient } from "@tanstack/react-query";
import { setupServer } from "msw/node";
import { createOpenApiHttp } from "openapi-msw";
import createQueryClient from "openapi-react-query";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { createQueryHook } from "swr-openapi";
import { expect, it } from "vitest";
import { createClient, type paths } from "../../generated/v2/client.ts";

const teamPath = "/v2/organizations/{orgId}/teams/{teamId}";
const init = { params: { path: { orgId: 42, teamId: 7 } } };

function createAnsweringClient() {
  const authorizations: (string | null)[] = [];
  const client = createClient({
    baseUrl: "http://service.example",
    auth: { apiKey: "svc_test" },
    fetch: ({ headers }) => {
      authorizations.push(headers.get("authorization"));
      return Promise.resolve(Response.json({ status: "success", data: { name: "Physiotherapy" } }));
    },
  });
  return { client, authorizations };
}

it("openapi-react-query makes authorized calls", async () => {
  const { client, authorizations } = createAnsweringClient();
  const options = createQueryClient(client).queryOptions("get", teamPath, init);
  expect(await new QueryClient().query(options)).toMatchObject({ data: { name: "Physiotherapy" } });
  expect(authorizations).toEqual(["Bearer svc_test"]);
});

it("swr-openapi makes authorized calls", async () => {
  const { client, authorizations } = createAnsweringClient();
  const useQuery = createQueryHook(client, "v2");
  const name = await new Promise((resolve) => {
    const Team = () => {
      const { data } = useQuery(teamPath, init);
      if (data) resolve(data.data.name);
      return null;
    };
    createRoot(document.createElement("div")).render(createElement(Team));
  });
  expect(name).toBe("Physiotherapy");
  expect(authorizations).toEqual(["Bearer svc_test"]);
});

it("openapi-msw answers calls", async () => {
  // The page's own origin: happy-dom asks any other first whether it may.
  const baseUrl = location.origin;
  const http = createOpenApiHttp<paths>({ baseUrl });
  const server = setupServer(
    http.get(teamPath, ({ params, response }) =>
      response.untyped(Response.json({ status: "success", data: { name: `Team ${params.teamId}` } })),
    ),
  );
  server.listen();
  try {
    const client = createClient({ baseUrl, auth: { apiKey: "svc_test" } });
    const { data } = await client.GET(teamPath, init);
    expect(data?.data.name).toBe("Team 7");
  } finally {
    server.close();
  }
});
