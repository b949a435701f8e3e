// The compiler alone runs these tests: `npm run check` fails where one does.
import { describe, expectTypeOf, it } from "vitest";
import * as examples from "../../generated/v2/examples.ts";
import { createHandler, Problem, type Handlers } from "../../generated/v2/server.ts";

const status = 200 as const;
const body = examples.Team;

describe("a handler", () => {
  it("has the contract's parameters and body, and the principal and context", () => {
    const handle = createHandler({
      authenticate: ({ apiKey }, { context }: { readonly context: { readonly keys: ReadonlyMap<string, Date> } }) =>
        apiKey && context.keys.get(apiKey),
      handlers: {
        getOrganizationTeam: ({ path, query, cookie, principal, context }) => {
          expectTypeOf([query, cookie]).toEqualTypeOf<object[]>();
          expectTypeOf(path).toEqualTypeOf<{ orgId: number; teamId: number }>();
          expectTypeOf(principal).toEqualTypeOf<Date>();
          expectTypeOf(context.keys.size).toEqualTypeOf<number>();
          return { status, body };
        },
        rescheduleBooking: ({ principal }) => {
          expectTypeOf(principal).toEqualTypeOf<Date | undefined>();
          return { status: 404, body: { anything: true } };
        },
      },
    });
    expectTypeOf(handle).toEqualTypeOf<
      (request: Request, context: { readonly keys: ReadonlyMap<string, Date> }) => Promise<Response>
    >();
  });

  it("may give any failure, and a Response", () => {
    createHandler({
      authenticate: "none",
      handlers: { deleteTeam: () => Response.json({}), getOrganizationTeam: () => Promise.resolve({ status: 503 }) },
    });
  });
});

describe("the compiler finds", () => {
  const authenticate = "none";

  it("mistakes in options", () => {
    // @ts-expect-error -- how credentials are checked is a decision
    createHandler({ handlers: {} });
    // @ts-expect-error -- there is no such word
    createHandler({ authenticate: "any", handlers: {} });
    // @ts-expect-error -- there is no such operation
    createHandler({ authenticate, handlers: { getTeem: () => new Response() } });
    // @ts-expect-error -- an operation of v1
    createHandler({ authenticate, handlers: { listAttendees: () => new Response() } });
    // @ts-expect-error -- there is no such scheme
    createHandler({ authenticate: ({ apiKeys }) => [apiKeys].length, handlers: {} });
    // @ts-expect-error -- not a function
    createHandler({ authenticate, handlers: { deleteTeam: new Response() } });
    // @ts-expect-error -- there is no such option
    createHandler({ authenticate, handlers: {}, validate: true });
    // @ts-expect-error -- a problem has a number
    new Problem("404", "There is no such team.");
    // @ts-expect-error -- the context is missing
    void createHandler<undefined, { readonly env: string }>({ authenticate, handlers: {} })(new Request(""));
  });

  it("mistakes in responses", () => {
    // @ts-expect-error -- 201 is listed
    createHandler({ authenticate, handlers: { saveIcsFeed: () => ({ status, body: examples.IcsFeedConnection }) } });
    // @ts-expect-error -- 200 is listed
    createHandler({ authenticate, handlers: { deleteTeam: () => ({ status: 204 }) } });
    // @ts-expect-error -- a redirect is not listed
    createHandler({ authenticate, handlers: { deleteTeam: () => ({ status: 301 }) } });
    // @ts-expect-error -- the body is missing
    createHandler({ authenticate, handlers: { deleteTeam: () => ({ status }) } });
    // @ts-expect-error -- a field is missing
    createHandler({ authenticate, handlers: { deleteTeam: () => ({ status, body: { status: "success" } }) } });
    // @ts-expect-error -- a field has another type
    createHandler({ authenticate, handlers: { deleteTeam: () => ({ status, body: { ...body, data: 7 } }) } });
    // @ts-expect-error -- a constant has another value
    createHandler({ authenticate, handlers: { deleteTeam: () => ({ status, body: { ...body, status: "ok" } }) } });
    // @ts-expect-error -- the body is of another operation
    createHandler({ authenticate, handlers: { deleteTeam: () => ({ status, body: examples.ScheduleList }) } });
    // @ts-expect-error -- another media type
    createHandler({ authenticate, handlers: { deleteTeam: () => ({ status, contentType: "text/plain", body }) } });
    // @ts-expect-error -- nothing is returned
    createHandler({ authenticate, handlers: { deleteTeam: () => undefined } });
  });

  it("what the contract doesn't have in responses", () => {
    const row = { ...body.data, passwordHash: "$2b$10$abc" };
    const rows = examples.ScheduleList.data.map((one) => ({ ...one, secret: 1 }));
    // @ts-expect-error -- there is no such field
    createHandler({ authenticate, handlers: { deleteTeam: () => ({ status, body: { ...body, nonsense: true } }) } });
    // @ts-expect-error -- a field of a row in the database
    createHandler({ authenticate, handlers: { deleteTeam: () => ({ status, body: { ...body, data: row } }) } });
    createHandler({
      authenticate,
      handlers: {
        // @ts-expect-error -- the same in a list, and later
        listOrganizationSchedules: async () => {
          return { status, body: await Promise.resolve({ ...examples.ScheduleList, data: rows }) };
        },
      },
    });
    // @ts-expect-error -- a response has no such member
    createHandler({ authenticate, handlers: { deleteTeam: () => ({ status, body, header: { "x-typo": "a" } }) } });
    const own = { deleteTeam: () => ({ status, body: { ...body, data: row } }) } satisfies Handlers;
    // @ts-expect-error -- a field of a row in the database
    createHandler({ authenticate, handlers: own });
    const booking = examples.RescheduledBooking;
    const open = { ...booking, data: { ...booking.data, metadata: { any: { thing: true } } } };
    const listed: Handlers = {
      deleteTeam: () => ({ status, body: { ...body, data: { ...row, passwordHash: undefined } } }),
    };
    createHandler({ authenticate, handlers: { ...listed, rescheduleBooking: () => ({ status: 201, body: open }) } });
  });

  it("mistakes in what is received", () => {
    // @ts-expect-error -- there is no such parameter
    createHandler({ authenticate, handlers: { deleteTeam: ({ path }) => Response.json(path.id) } });
    // @ts-expect-error -- a number
    createHandler({ authenticate, handlers: { deleteTeam: ({ path }) => Response.json(path.teamId.length) } });
    // @ts-expect-error -- there is no body
    createHandler({ authenticate, handlers: { deleteTeam: ({ body: sent }) => Response.json(sent.name) } });
    // @ts-expect-error -- there is no principal
    createHandler({ authenticate, handlers: { deleteTeam: ({ principal }) => Response.json(principal.id) } });
    createHandler({
      authenticate,
      // @ts-expect-error -- the query may be absent
      handlers: { listOrganizationSchedules: ({ query }) => Response.json(query.take.toFixed()) },
    });
  });
});
