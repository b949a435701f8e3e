import type { Generation, Operation } from "../contract/generation.ts";
import { groupBy, recall } from "../contract/text.ts";
import { curlCommand } from "../samples/curlCommand.ts";
import { createExchangeCheck, type VerifiedGeneration } from "./checkExchange.ts";
import { pointerTo } from "../exchange/describedValues.ts";
import { hideCredentials, joinFields, type Exchange } from "../exchange/exchange.ts";
import { maskContent } from "./har.ts";
import { findingKinds, type Observation } from "../exchange/checkResponse.ts";
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

/** Gathers what exchanges tell about some operations. `isComplete` is as in {@link createExchangeCheck}. */
export function createVerification(
  sources: readonly VerifiedGeneration[],
  selected: ReadonlySet<Operation>,
  isComplete: boolean,
) {
  const checks = sources.map((source) => createExchangeCheck(source, isComplete));
  const secrets = secretsOf(sources.map(({ generation }) => generation));
  const observations: Observation[] = [];
  const statuses = new Map<Operation, number[]>();
  const untestedIn = (generation: Generation, reasons: ReadonlyMap<Operation, string>) =>
    generation.operations.flatMap((operation): Observation[] => {
      const seen = statuses.get(operation) ?? [];
      const { name } = operation;
      const isTold = observations.some((one) => one.operation === name && one.kind === "untested");
      if (!selected.has(operation) || seen.some((status) => status < 300) || (isTold && seen.length === 0)) return [];
      const failed = seen.length > 0 ? `only failures came: ${[...new Set(seen)].join(", ")}` : undefined;
      const message = reasons.get(operation) ?? failed ?? "no exchange with it";
      const common = { generation: generation.name, operation: name, place: pointerTo(operation) };
      return [{ kind: "untested", ...common, message, received: undefined, exchange: undefined }];
    });
  return {
    /** Holds an exchange against the contract; `undefined` if it is none with the API. */
    add: (exchange: Exchange): readonly Observation[] | undefined => {
      const results = checks.flatMap((check) => check(exchange) ?? []);
      const result = results.find(({ operation }) => operation !== undefined) ?? results[0];
      const operation = result?.operation;
      if (result === undefined || (operation !== undefined && !selected.has(operation))) return undefined;
      const hide = hideCredentials(exchange, secrets);
      const told = result.observations.map(({ message, received, ...one }): Observation => {
        return { ...one, message: hide(message), received: received && hide(received) };
      });
      observations.push(...told);
      if (operation !== undefined && exchange.response !== undefined)
        recall(statuses, operation, () => []).push(exchange.response.status);
      return told;
    },
    /** Everything that is known now. `reasons` say why operations were not called. */
    findings: (reasons: ReadonlyMap<Operation, string> = new Map()): readonly Finding[] => {
      const untested = sources.flatMap(({ generation }) => untestedIn(generation, reasons));
      return gather([...observations, ...untested], secrets);
    },
    /** True if anything succeeded, so that not being contradicted means something. */
    hasProof: () => [...statuses.values()].flat().some((status) => status >= 200 && status < 300),
  };
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
