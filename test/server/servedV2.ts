/* A server of v2, which answers with the contract's examples. */
import * as examples from "../../generated/v2/examples.ts";
import { Problem, type Handlers } from "../../generated/v2/server.ts";

interface Account {
  readonly owner: string;
}

export const handlers: Handlers<Account> = {
  rescheduleBooking: () => ({ status: 201, body: examples.RescheduledBooking }),
  saveIcsFeed: () => ({ status: 201, body: examples.IcsFeedConnection }),
  deleteEventType: () => ({ status: 200, body: examples.DeletedEventType }),
  createOAuthClient: () => ({ status: 201, body: examples.CreatedOAuthClient }),
  updateOAuthClient: () => ({ status: 200, body: examples.UpdatedOAuthClient }),
  createManagedUser: ({ body }) => ({
    status: 201,
    body: "timeZone" in body ? examples.ManagedUserWithSchedule : examples.ManagedUserWithoutSchedule,
  }),
  getOrganizationMembership: () => ({ status: 200, body: examples.AcceptedOrganizationMembership }),
  listOrganizationSchedules: ({ query: { take = 100, skip = 0 } }) => ({
    status: 200,
    body: { ...examples.ScheduleList, data: examples.ScheduleList.data.slice(skip, skip + take) },
  }),
  getOrganizationTeam: ({ path, principal }) => {
    if (path.teamId === 404) throw new Problem(404, `${principal.owner} has no such team.`);
    return { status: 200, headers: { "x-kind": typeof path.teamId }, body: examples.Team };
  },
  deleteOrganizationTeam: () => Promise.resolve({ status: 200, body: examples.DissolvedTeam }),
  updateOrganizationTeamMembership: () => Response.json(examples.AcceptedTeamMembership),
  addSelectedCalendar: () => ({ status: 201, body: examples.SelectedCalendar }),
};

const accounts = new Map([["svc_known", { owner: "Mara" }]]);
export const seen: object[] = [];
export const options = {
  authenticate: (credentials: { readonly apiKey?: string }) => {
    seen.push(credentials);
    return credentials.apiKey === undefined ? undefined : accounts.get(credentials.apiKey);
  },
  handlers,
};
