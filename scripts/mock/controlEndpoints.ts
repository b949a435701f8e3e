import type {
  FaultRule,
  ListedRule,
  MockState,
  RequestEntry,
  SeedState,
  SentOverrideRule,
  SessionEntry,
} from "./mockTypes.ts";

/** The JSON that an endpoint responds with, and the JSON that it takes. */
interface Endpoint<Out = void, In = undefined> {
  readonly out: Out;
  readonly in: In;
}

interface RuleEndpoints<Rule> {
  readonly GET: Endpoint<readonly ListedRule<Rule>[]>;
  readonly PUT: Endpoint<readonly ListedRule<Rule>[], readonly Rule[]>;
  readonly POST: Endpoint<readonly ListedRule<Rule>[], Rule>;
  readonly DELETE: Endpoint<readonly ListedRule<Rule>[]>;
}

/** The generations that a mock serves. */
interface Health {
  readonly status: "ready";
  readonly generations: readonly object[];
}

/**
 * The endpoints of a mock for programs: by their paths below `/-/mock/`, then by method. `NAME` stands for a name. The
 * header `x-mock-session` has the session.
 */
export interface ControlEndpoints {
  readonly health: { readonly GET: Endpoint<Health> };
  readonly sessions: { readonly GET: Endpoint<readonly SessionEntry[]>; readonly DELETE: Endpoint };
  readonly "sessions/NAME": { readonly DELETE: Endpoint };
  readonly reset: { readonly POST: Endpoint };
  readonly state: { readonly GET: Endpoint<MockState>; readonly PUT: Endpoint<MockState, MockState> };
  readonly seed: { readonly PUT: Endpoint<MockState, SeedState> };
  readonly requests: { readonly GET: Endpoint<readonly RequestEntry[]> };
  readonly faults: RuleEndpoints<FaultRule>;
  readonly "faults/NAME": Pick<RuleEndpoints<FaultRule>, "DELETE">;
  readonly overrides: RuleEndpoints<SentOverrideRule>;
  readonly "overrides/NAME": Pick<RuleEndpoints<SentOverrideRule>, "DELETE">;
}

/** What an endpoint takes or responds with. */
export type EndpointData<
  Path extends keyof ControlEndpoints,
  Method extends keyof ControlEndpoints[Path],
  Direction extends keyof Endpoint,
> =
  ControlEndpoints[Path][Method] extends Endpoint<unknown, unknown> ? ControlEndpoints[Path][Method][Direction] : never;
