import type { Operation } from "../contract/generation.ts";
import { groupBy, recall } from "../contract/text.ts";
import { curlCommand } from "../samples/curlCommand.ts";
import { createExchangeCheck, type VerifiedGeneration } from "./checkExchange.ts";
import { pointerTo } from "../exchange/describedValues.ts";
import { hideCredentials, joinFields, type Exchange } from "../exchange/exchange.ts";
import { maskContent } from "./har.ts";
import { findingKinds, type Observation } from "./observation.ts";
import { judgeWrongRequest, type WrongRequest } from "./wrongRequests.ts";
import { maskHeader, secretsOf, type Secrets } from "../exchange/secrets.ts";

/** What all exchanges together tell about one statement of the contract. */
export interface Finding extends Pick<Observation, "kind" | "generation" | "operation" | "place"> {
  readonly message: string;
  /** What came, most frequent first, and how often. */
  readonly received: readonly (readonly [text: string, count: number])[];
  readonly count: number;
  /** A command line that sends the first request that told it, without secrets. */
  readonly curl: string | undefined;
}

/**
 * Gathers what exchanges tell about some operations. `isComplete` is as in {@link createExchangeCheck}. `maxTime`: the
 * milliseconds after which a response is slow.
 */
export function createVerification(
  sources: readonly VerifiedGeneration[],
  selected: ReadonlySet<Operation>,
  isComplete: boolean,
  maxTime = Infinity,
) {
  const checks = sources.map((source) => createExchangeCheck(source, isComplete));
  const secrets = secretsOf(sources.map(({ generation }) => generation));
  const observations: Observation[] = [];
  const answers = new Map<Operation, Answer[]>();
  const generationOf = (operation: Operation) =>
    sources.find(({ generation }) => generation.operations.includes(operation))?.generation.name ?? "";
  const check = (exchange: Exchange) => {
    const results = checks.flatMap((one) => one(exchange) ?? []);
    return results.find(({ operation }) => operation !== undefined) ?? results[0];
  };
  const judge = (wrong: WrongRequest, exchange: Exchange): ReturnType<typeof check> => {
    const { status = 0 } = exchange.response ?? {};
    const isRefused = status >= 400 && status < 500;
    const told = isRefused ? (check(exchange)?.observations ?? []) : judgeWrongRequest(wrong, exchange);
    // That it is refused is no news.
    const observations = told.filter(
      ({ kind }) => kind === "contradiction" || kind === "server error" || kind === "doubt",
    );
    return { operation: wrong.operation, observations };
  };
  return {
    /**
     * Holds an exchange against the contract; `undefined` if it is none with the API. `wrong`: what has to be refused in the
     * request.
     */
    add: (exchange: Exchange, wrong?: WrongRequest): readonly Observation[] | undefined => {
      const result = wrong === undefined ? check(exchange) : judge(wrong, exchange);
      const operation = result?.operation;
      if (result === undefined || (operation !== undefined && !selected.has(operation))) return undefined;
      const hide = hideCredentials(exchange, secrets);
      const late = operation === undefined ? [] : lateness(exchange, operation, maxTime, generationOf(operation));
      const told = [...result.observations, ...late].map(({ message, received, ...one }): Observation => {
        return { ...one, message: hide(message), received: received && hide(received) };
      });
      observations.push(...told);
      if (operation !== undefined && exchange.response !== undefined && wrong === undefined) {
        const { status } = exchange.response;
        recall(answers, operation, () => []).push({ status, isEmptyList: result.isEmptyList === true });
      }
      return told;
    },
    /** Everything that is known now. `reasons` say why operations were not called. */
    findings: (reasons: ReadonlyMap<Operation, string> = new Map()): readonly Finding[] => {
      const told = new Set(observations.filter(({ kind }) => kind === "untested").map(({ operation }) => operation));
      const untested: Observation[] = [];
      for (const { generation } of sources) {
        for (const operation of generation.operations.filter((one) => selected.has(one))) {
          const { name } = operation;
          const came = answers.get(operation) ?? [];
          if (came.some(isTested) || (came.length === 0 && told.has(name))) continue;
          const message = describeAnswers(came, reasons.get(operation));
          const common = { generation: generation.name, operation: name, place: pointerTo(operation) };
          untested.push({ kind: "untested", ...common, message, received: undefined, exchange: undefined });
        }
      }
      return gather([...observations, ...untested], secrets);
    },
    /** True if any operation was tested, so that not being contradicted means something. */
    hasProof: () => [...answers.values()].flat().some(isTested),
  };
}

/** Tells of a response that took too long. */
function lateness(
  exchange: Exchange,
  operation: Operation,
  maxTime: number,
  generation: string,
): readonly Observation[] {
  const { time = 0 } = exchange;
  if (time <= maxTime) return [];
  const common = {
    kind: "doubt",
    generation,
    operation: operation.name,
    place: pointerTo(operation),
    exchange,
  } as const;
  return [{ ...common, message: `a response takes ${maxTime} ms at most`, received: `${Math.ceil(time)} ms` }];
}

/** How an operation answered. */
interface Answer {
  readonly status: number;
  /** True if it succeeded, and all that came was a list without items. */
  readonly isEmptyList: boolean;
}

/** Tells whether an answer says more than that the operation is there. */
function isTested({ status, isEmptyList }: Answer): boolean {
  return status < 300 && !isEmptyList;
}

/** Why nothing was tested by some answers of an operation. */
function describeAnswers(came: readonly Answer[], reason: string | undefined): string {
  if (came.some(({ isEmptyList }) => isEmptyList)) return "its list was empty, so no item was checked";
  if (reason !== undefined) return reason;
  const statuses = new Set(came.map(({ status }) => status));
  return statuses.size > 0 ? `only failures came: ${[...statuses].join(", ")}` : "no exchange with it";
}

function gather(observations: readonly Observation[], secrets: Secrets): readonly Finding[] {
  const operationsOf = (some: readonly Observation[]) =>
    new Set(some.filter(({ exchange }) => exchange?.response !== undefined).map(({ operation }) => operation)).size;
  const inHeaders = observations.filter(({ place }) => place.endsWith("/headers"));
  const headers = groupBy(inHeaders, ({ message }) => message);
  const total = operationsOf(observations);
  /** A header that comes with every response is told once. */
  const isEverywhere = ({ message }: Observation) => total > 1 && operationsOf(headers.get(message) ?? []) === total;
  const groups = groupBy(observations, (one) =>
    JSON.stringify([one.kind, one.message, ...(isEverywhere(one) ? [] : [one.generation, one.operation, one.place])]),
  );
  const found = [...groups.values()].flatMap((group): Finding[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, generation, place, message, exchange } = first;
    const came = group.flatMap((one) => one.received ?? []);
    const texts = groupBy(came, (text) => text);
    const received = Array.from(texts, ([text, all]) => [text, all.length] as const).sort(([, a], [, b]) => b - a);
    const operation = isEverywhere(first) ? "*" : first.operation;
    const count = new Set(group.map((one) => one.exchange)).size;
    const curl = exchange && curlOf(exchange, secrets);
    return [{ kind, generation, operation, place, message, received, count, curl }];
  });
  return found.sort((a, b) => findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind));
}

function curlOf({ method, url, request }: Exchange, secrets: Secrets): string {
  const headers = request.headers
    .filter(([name]) => !/^(?:host|connection|content-length|accept-encoding|user-agent|sec-.*)$/i.test(name))
    .map(([name, value]) => [name, maskHeader(name, value, secrets.isSecretParameter)] as const);
  const mimeType = joinFields(headers)["content-type"] ?? "";
  const text = request.body && maskContent(Buffer.from(request.body).toString(), mimeType, secrets.isSecretProperty);
  const body = text === undefined || text === "" ? undefined : ({ kind: "text", text } as const);
  const command = curlCommand({ method, url: secrets.maskUrl(url), headers: Object.fromEntries(headers), body });
  // What is in an archive must not steer a terminal.
  return command.replaceAll(/(?![\n\t])\p{Cc}/gu, "\ufffd");
}
