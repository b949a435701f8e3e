import fc from "fast-check";
import { expect } from "vitest";
import { readBuiltGenerations } from "../../scripts/command/builtGenerations.ts";
import { curlCommand } from "../../scripts/samples/curlCommand.ts";
import { addressedTo, jsonBody, requestTo, type ExampleRequest } from "../fixtures/exampleRequest.ts";
import { successResponses, type Operation } from "../../scripts/contract/generation.ts";
import { valueAt } from "../../scripts/values/json.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { createValidator, type Validator } from "../contract/validator.ts";
import { createOAuthClientRequest } from "../../generated/v2/examples.ts";

const generations = await readBuiltGenerations();
const operations = new Map<string, { readonly operation: Operation; readonly validator: Validator }>(
  generations.flatMap(({ name, document, operations }) => {
    const validator = createValidator(document);
    return operations.map((operation): [string, { operation: Operation; validator: Validator }] => [
      `${name} ${operation.operationId ?? ""}`,
      { operation, validator },
    ]);
  }),
);
const requestsInRun = 50;
const url = "http://mock.example";

/** The world as the service description tells it: what was written, and nothing else. */
interface Model {
  readonly memberships: Map<string, Fields>;
  readonly attendees: Map<number, Fields>;
  /** By their numbers. */
  readonly bookings: Map<number, Fields>;
  readonly clients: Map<string, Fields>;
  readonly deleted: Set<string>;
  /** Every identifier that was given to something new. */
  readonly given: Set<unknown>;
  readonly created: { readonly id: number; readonly uid: string; readonly minutes: number }[];
  readonly createdClients: string[];
}
type Fields = Readonly<Record<string, unknown>>;

interface Step {
  readonly operation: string;
  readonly request: (model: Model) => ExampleRequest;
  /** Compares the response with the model, and changes the model. */
  readonly check: (model: Model, status: number, body: unknown, request: ExampleRequest) => void;
}

const key = { authorization: "Bearer svc_key" };

function request(
  method: string,
  target: string,
  body?: Fields,
  headers: ExampleRequest["headers"] = key,
): ExampleRequest {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  return { method, target, body: jsonBody(body), headers: { ...headers, ...type } };
}

const organization = fc.constantFrom(42, 43);
const team = fc.constantFrom(7, 8);
const membership = fc.constantFrom(87, 88, 12_345);
const attendee = fc.constantFrom(501, 502, 600);
const name = fc.constantFrom("Noor", "Åsa 'Ö'", "");
const start = fc.integer({ min: 0, max: 1_000 }).map((day) => new Date(Date.UTC(2027, 0, day, 9)).toISOString());

const steps: readonly fc.Arbitrary<Step>[] = [
  fc.tuple(organization, membership).map(([org, id]) => ({
    operation: "v2 getOrganizationMembership",
    request: () => request("GET", `/v2/organizations/${org}/memberships/${id}`),
    check: ({ memberships }, status, body) => {
      expect(status).toBe(200);
      expect(valueAt(body, ["data"])).toMatchObject({ id, ...memberships.get(`${org} ${id}`) });
    },
  })),
  fc
    .record({
      ids: fc.tuple(organization, team, membership),
      body: fc.record(
        { accepted: fc.boolean(), role: fc.constantFrom("MEMBER", "OWNER"), disableImpersonation: fc.boolean() },
        { requiredKeys: [] },
      ),
    })
    .map(({ ids: [org, teamId, id], body }) => ({
      operation: "v2 updateOrganizationTeamMembership",
      request: () => request("PATCH", `/v2/organizations/${org}/teams/${teamId}/memberships/${id}`, body),
      check: ({ memberships, deleted }, status, answer) => {
        expect(status).toBe(deleted.has(`team ${teamId}`) ? 404 : 200);
        if (status === 404) return;
        const fields = { ...memberships.get(`${org} ${id}`), ...body, teamId };
        memberships.set(`${org} ${id}`, fields);
        expect(valueAt(answer, ["data"])).toMatchObject({ id, ...fields });
      },
    })),
  fc.constant({
    operation: "v1 listAttendees",
    request: () => request("GET", "/v1/attendees"),
    check: ({ attendees }, status, body) => {
      expect(status).toBe(200);
      const list = [valueAt(body, ["attendees"])].flat();
      for (const [id, fields] of attendees) expect(list).toContainEqual(expect.objectContaining({ id, ...fields }));
      const identifiers = list.map((one) => valueAt(one, ["id"]));
      expect(new Set(identifiers).size).toBe(list.length);
    },
  }),
  attendee.map((id) => ({
    operation: "v1 getAttendee",
    request: () => request("GET", `/v1/attendees/${id}`),
    check: ({ attendees }, status, body) => {
      expect(status).toBe(200);
      expect(valueAt(body, ["attendee"])).toMatchObject({ id, ...attendees.get(id) });
    },
  })),
  fc.tuple(attendee, fc.record({ name, timeZone: name }, { requiredKeys: [] })).map(([id, body]) => ({
    operation: "v1 updateAttendee",
    request: () => request("PATCH", `/v1/attendees/${id}?apiKey=k`, body, {}),
    check: ({ attendees }, status, answer) => {
      expect(status).toBe(201);
      attendees.set(id, { ...attendees.get(id), ...body });
      expect(valueAt(answer, ["attendee"])).toMatchObject({ id, ...attendees.get(id) });
    },
  })),
  fc
    .tuple(
      fc.nat(5),
      fc.record({ title: name, status: fc.constantFrom("CANCELLED", "accepted") }, { requiredKeys: [] }),
    )
    .map(([pick, body]) => ({
      operation: "v1 updateBooking",
      request: ({ created }) => request("PATCH", `/v1/bookings/${created[pick]?.id ?? 5}?apiKey=k`, body, {}),
      check: ({ created, bookings }, status, answer) => {
        const id = created[pick]?.id ?? 5;
        expect(status).toBe(200);
        bookings.set(id, { ...bookings.get(id), ...body });
        expect(valueAt(answer, ["booking"])).toMatchObject({ id, ...bookings.get(id) });
      },
    })),
  fc.tuple(fc.nat(5), start).map(([pick, time]) => ({
    operation: "v2 rescheduleBooking",
    request: ({ created }) =>
      request(
        "POST",
        `/v2/bookings/${created[pick]?.uid ?? "abc"}/reschedule`,
        { start: time },
        { ...key, "svc-api-version": "2024-08-13" },
      ),
    check: (model, status, answer) => {
      expect(status).toBe(201);
      const earlier = model.created[pick];
      const [id, uid, begin, end] = ["id", "uid", "start", "end"].map((field) => valueAt(answer, ["data", field]));
      const minutes = (Date.parse(String(end)) - Date.parse(String(begin))) / 60_000;
      expect(begin).toBe(time);
      expect(minutes).toBe(earlier?.minutes ?? 30);
      expect(valueAt(answer, ["data", "rescheduledFromUid"])).toBe(earlier?.uid ?? "abc");
      expect(model.given.has(id) || model.given.has(uid)).toBe(false);
      model.given.add(id).add(uid);
      model.created.push({ id: Number(id), uid: String(uid), minutes });
    },
  })),
  fc.tuple(team, fc.nat(2)).map(([id, door]) => {
    const [operation, target] = (
      [
        ["v2 deleteTeam", `/v2/teams/${id}`],
        ["v2 deleteOrganizationTeam", `/v2/organizations/42/teams/${id}`],
        ["v1 deleteTeam", `/v1/teams/${id}?apiKey=k`],
      ] as const
    )[door] ?? ["", ""];
    return {
      operation,
      request: () => request("DELETE", target),
      check: ({ deleted }, status) => {
        expect(status === 404).toBe(deleted.has(`team ${id}`));
        deleted.add(`team ${id}`);
      },
    };
  }),
  fc.tuple(organization, team).map(([org, id]) => ({
    operation: "v2 getOrganizationTeam",
    request: () => request("GET", `/v2/organizations/${org}/teams/${id}`),
    check: ({ deleted }, status, body) => {
      expect(status).toBe(deleted.has(`team ${id}`) ? 404 : 200);
      if (status === 200) expect(valueAt(body, ["data", "id"])).toBe(id);
    },
  })),
  fc.constantFrom(1, 2, 3).map((id) => ({
    operation: "v1 deleteWebhook",
    request: () => request("DELETE", `/v1/webhooks/${id}?apiKey=k`, undefined, {}),
    check: ({ deleted }, status) => {
      expect(status).toBe(deleted.has(`webhook ${id}`) ? 404 : 201);
      deleted.add(`webhook ${id}`);
    },
  })),
  fc.record({ name, areEmailsEnabled: fc.boolean() }, { requiredKeys: [] }).map((body) => ({
    operation: "v2 createOAuthClient",
    request: () => request("POST", "/v2/oauth-clients", { ...createOAuthClientRequest.patientPortal, ...body }),
    check: ({ given, clients, createdClients }, status, answer) => {
      expect(status).toBe(201);
      const id = String(valueAt(answer, ["data", "clientId"]));
      expect(given.has(id)).toBe(false);
      given.add(id);
      createdClients.push(id);
      clients.set(id, body);
    },
  })),
  fc.tuple(fc.nat(3), fc.record({ name }, { requiredKeys: [] })).map(([pick, body]) => ({
    operation: "v2 updateOAuthClient",
    request: ({ createdClients }) => request("PATCH", `/v2/oauth-clients/${createdClients[pick] ?? "known"}`, body),
    check: ({ clients, createdClients }, status, answer) => {
      const id = createdClients[pick] ?? "known";
      expect(status).toBe(200);
      clients.set(id, { ...clients.get(id), ...body });
      expect(valueAt(answer, ["data"])).toMatchObject({ id, ...clients.get(id) });
    },
  })),
  fc.tuple(fc.nat(3), fc.nat(3)).map(([take, skip]) => ({
    operation: "v2 listOrganizationSchedules",
    request: () => request("GET", `/v2/organizations/42/schedules?take=${take}&skip=${skip}`),
    check: (_, status, body) => {
      expect(status).toBe(200);
      expect([valueAt(body, ["data"])].flat().length).toBeLessThanOrEqual(take);
    },
  })),
];

/** Expects that runs of requests get what a plain model of the service says, and what the contract allows. */
export async function expectAsModel(runs: number): Promise<void> {
  const sequences = fc.array(fc.oneof(...steps), { minLength: requestsInRun, maxLength: requestsInRun, size: "max" });
  const mock = createEngine({ generations });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const session = `run ${(run += 1)}`;
      const model: Model = {
        ...{ memberships: new Map(), attendees: new Map(), bookings: new Map(), clients: new Map() },
        ...{ deleted: new Set(), given: new Set(), created: [], createdClients: [] },
      };
      const sent: ExampleRequest[] = [];
      for (const step of sequence) {
        const sending = step.request(model);
        sent.push(sending);
        const headers = { ...sending.headers, "x-mock-session": session };
        const response = await mock.fetch(requestTo(url, { ...sending, headers }));
        const answer: unknown = await response.json();
        try {
          step.check(model, response.status, answer, sending);
          if (response.ok) expect(faultOf(step.operation, answer)).toBeUndefined();
        } catch (error) {
          const commands = sent.map((one) => curlCommand(addressedTo("http://127.0.0.1:4010", one)));
          throw new Error(`The last of these requests gets a wrong response:\n${commands.join("\n")}`, {
            cause: error,
          });
        }
      }
    }),
    { numRuns: runs, seed: 20_261_121, endOnFailure: false, includeErrorInReport: true },
  );
}

/** What is wrong with a body by the contract. */
function faultOf(name: string, body: unknown): string | undefined {
  const { operation, validator } = operations.get(name) ?? {};
  if (operation === undefined) return `there is no operation ${name}`;
  return validator?.ofResponse(operation, successResponses(operation)[0]?.status ?? "")(body);
}
