import { addRule, readRules } from "./faultRules.ts";
import type { Faults } from "./faults.ts";
import type { BodyLimits, MockRequest } from "./request/mockRequest.ts";
import { noContent, type Answer } from "./response/answer.ts";
import { isRefusal, listedViolations, refusalOf, refuseContent, type Refusal } from "./response/refusal.ts";
import { shorten } from "./secrets.ts";
import { parseJsonBody } from "./request/requestBody.ts";
import { readTarget } from "./request/requestTarget.ts";
import { allowedMethods } from "./request/unknownRoute.ts";
import type { ServedContract } from "./servedContract.ts";
import { resetSession, restoreSession, type Session, type Sessions } from "./state/sessions.ts";
import { writeSnapshot, type StateViolation } from "./state/worldSnapshot.ts";

/** The parts of the mock that its own endpoints show and change. */
interface ControlledParts {
  readonly sessions: Sessions;
  /** The one that the request names. */
  readonly session: Session;
  readonly contract: ServedContract;
}

/** Gets the parsed body, which is `undefined` if there is none. */
type Handler = (parts: ControlledParts, body: unknown) => Answer | Refusal;

/** By path and method. */
const endpoints: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  "/-/mock/reset": {
    POST: ({ sessions, session }) => {
      resetSession(sessions, session);
      return noContent();
    },
  },
  "/-/mock/state": {
    GET: ({ session }) => json(writeSnapshot(session.world)),
    PUT: ({ sessions, session, contract }, body) => {
      const violations = restoreSession(sessions, session, body, contract.resourceTypes());
      if (violations.length > 0) return refuseState(violations);
      return json(writeSnapshot(session.world));
    },
  },
  "/-/mock/requests": {
    GET: ({ session }) => json(session.requests),
  },
  "/-/mock/faults": {
    GET: ({ session }) => json(session.faults.list()),
    PUT: ({ session, contract }, body) => setRules(session.faults, readRules(body, contract.generations)),
    POST: ({ session: { faults }, contract }, body) =>
      setRules(faults, addRule(body, faults.list(), contract.generations)),
    DELETE: ({ session }) => setRules(session.faults, []),
  },
};

/** Tells whether a request is for the mock itself and not for the API. */
export function isControlTarget(requestTarget: string): boolean {
  return /^(?:https?:\/\/[^/?#]*)?\/-\/mock(?:[/?#]|$)/i.test(requestTarget);
}

/** Answers a request for the mock itself; `undefined` if the client went away before its body ended. */
export async function answerControl(
  request: MockRequest,
  parts: ControlledParts,
  limits: BodyLimits,
): Promise<Answer | Refusal | undefined> {
  const target = readTarget(request.target);
  if (isRefusal(target)) return target;
  const handlers = new Map(Object.entries(endpoints)).get(target.path);
  if (handlers === undefined) return unknownEndpoint(target.path);
  const methods = Object.keys(handlers);
  const allow = allowedMethods(methods);
  if (request.method === "OPTIONS") return noContent({ allow });
  const handler = new Map(Object.entries(handlers)).get(request.method === "HEAD" ? "GET" : request.method);
  if (handler === undefined) {
    const message = `${target.path} supports ${methods.join(", ")}, but not ${request.method}.`;
    return refusalOf(405, { in: "method", message, expected: methods, received: request.method }, { allow });
  }
  // A state may be as large as what it was made of, and is longer where text is escaped.
  const size = target.path === "/-/mock/state" ? Math.max(limits.size, 2 * parts.sessions.budget.limit) : limits.size;
  const bytes = request.hasBody ? await request.readBody({ ...limits, size }) : Buffer.alloc(0);
  if (bytes === undefined || isRefusal(bytes)) return bytes;
  if (bytes.length === 0) return handler(parts, undefined);
  const body = parseJsonBody(bytes);
  return isRefusal(body) ? body : handler(parts, body.value);
}

function unknownEndpoint(path: string): Refusal {
  const list = Object.entries(endpoints).map(([known, handlers]) => `${known} (${Object.keys(handlers).join(", ")})`);
  const message = `The mock has no endpoint ${shorten(path, 200)}: there are ${new Intl.ListFormat("en").format(list)}.`;
  return refusalOf(404, { in: "path", message, expected: Object.keys(endpoints) });
}

function refuseState(violations: readonly StateViolation[]): Refusal {
  const listed = violations.slice(0, listedViolations);
  return refuseContent(
    listed.map(({ pointer, message }) => ({ in: "body", pointer, message: `${pointer} in the body ${message}.` })),
  );
}

function setRules(faults: Faults, rules: Parameters<Faults["set"]>[0] | Refusal): Answer | Refusal {
  if (isRefusal(rules)) return rules;
  faults.set(rules);
  return json(faults.list());
}

function json(value: unknown): Answer {
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: `${JSON.stringify(value, undefined, 2)}\n`,
  };
}
