import type { Generation } from "../contract/generation.ts";
import { readRule, readRules, type Faults } from "./faults.ts";
import type { BodyLimits, MockRequest } from "./mockRequest.ts";
import { answerRefusal, isRefusal, refusalOf, shorten, type Answer, type Refusal } from "./problemDetails.ts";
import { parseBody } from "./requestBody.ts";
import { readTarget } from "./requestTarget.ts";

/** What the mock's own endpoints show and change. */
export interface ControlledParts {
  readonly faults: Faults;
  readonly generations: readonly Generation[];
}

/** Gets the parsed body, which is `undefined` if there is none. */
type Handler = (parts: ControlledParts, body: unknown) => Answer | Refusal;

/** By path and method. */
const endpoints: ReadonlyMap<string, ReadonlyMap<string, Handler>> = new Map([
  [
    "/-/mock/faults",
    new Map<string, Handler>([
      ["GET", ({ faults }) => json(faults.list())],
      ["PUT", ({ faults, generations }, body) => setRules(faults, readRules(body, generations))],
      [
        "POST",
        ({ faults, generations }, body) => {
          const rule = readRule(body, faults.list(), generations);
          return setRules(faults, isRefusal(rule) ? rule : [...faults.list(), rule]);
        },
      ],
      ["DELETE", ({ faults }) => setRules(faults, [])],
    ]),
  ],
]);

/** Whether a request is for the mock itself and not for what it mocks. */
export function isControlTarget(requestTarget: string): boolean {
  return /^(?:https?:\/\/[^/?#]*)?\/-\/mock(?:[/?#]|$)/i.test(requestTarget);
}

/** Answers a request for the mock itself; `undefined` if the client went away before its body ended. */
export async function answerControl(
  request: MockRequest,
  parts: ControlledParts,
  limits: BodyLimits,
): Promise<Answer | undefined> {
  const answer = await tryToAnswer(request, parts, limits);
  return answer !== undefined && isRefusal(answer) ? answerRefusal(answer) : answer;
}

async function tryToAnswer(
  request: MockRequest,
  parts: ControlledParts,
  limits: BodyLimits,
): Promise<Answer | Refusal | undefined> {
  const target = readTarget(request.target);
  if (isRefusal(target)) return target;
  const handlers = endpoints.get(target.path);
  if (handlers === undefined) return unknownEndpoint(target.path);
  const methods = [...handlers.keys()];
  const allow = [...methods, ...(handlers.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (request.method === "OPTIONS") return { status: 204, headers: { allow }, body: undefined };
  const handler = handlers.get(request.method === "HEAD" ? "GET" : request.method);
  if (handler === undefined) {
    const message = `${target.path} supports ${methods.join(", ")}, but not ${request.method}.`;
    return refusalOf(405, { in: "method", message, expected: methods, received: request.method }, { allow });
  }
  if (!request.hasBody) return handler(parts, undefined);
  const bytes = await request.readBody(limits);
  if (bytes === undefined || isRefusal(bytes)) return bytes;
  const body = parseBody(bytes, "application/json");
  return isRefusal(body) ? body : handler(parts, body.value);
}

function unknownEndpoint(path: string): Refusal {
  const paths = [...endpoints.keys()];
  const list = [...endpoints].map(([known, handlers]) => `${known} (${[...handlers.keys()].join(", ")})`);
  const message = `The mock has no endpoint ${shorten(path, 200)}: there is ${new Intl.ListFormat("en").format(list)}.`;
  return refusalOf(404, { in: "path", message, expected: paths });
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
    body: Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`),
  };
}
