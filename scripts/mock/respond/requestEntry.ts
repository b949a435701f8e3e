import type { ReceivedRequest, RequestEntry } from "../mockTypes.ts";
import type { MockRequest } from "./mockRequest.ts";
import { maskHeader, maskParameter, maskValues, type Secrets } from "../../exchange/secrets.ts";

/** What becomes known of a request while it is answered. */
export interface Receipt {
  received: ReceivedRequest | undefined;
  /** Size of the parsed body, in bytes. */
  bodySize: number;
}

/** A request that was answered. Few entries are ever read, so what the client sent is masked only then. */
export interface KeptRequest {
  readonly readEntry: () => RequestEntry;
  /** An estimate of the memory that it takes, in characters. */
  readonly size: number;
}

const longestBody = 2 ** 16;

/** `logged`: the part of the entry that is in the log, too. */
export function createKeptRequest(
  logged: RequestEntry,
  { target, headers }: MockRequest,
  { received, bodySize }: Receipt,
  secrets: Secrets,
): KeptRequest {
  const isTooLong = bodySize > longestBody;
  const kept = isTooLong && received ? { ...received, body: `${bodySize} bytes: too long to be kept` } : received;
  // The path and query of what was received are in the target.
  let size = 1_000 + 3 * target.length + (isTooLong ? 0 : bodySize);
  for (const [name, value] of Object.entries(headers)) size += name.length + value.length;
  return { size, readEntry: () => ({ ...logged, ...(kept && withoutSecrets(kept, secrets)) }) };
}

function withoutSecrets(
  { path, query, headers, body, ...received }: ReceivedRequest,
  { isSecretParameter, isSecretProperty }: Secrets,
): ReceivedRequest {
  const maskOne = (name: string, value: string) => maskParameter(name, value, isSecretParameter);
  return {
    ...received,
    path: mapEntries(path, maskOne),
    query: mapEntries(query, (name, value) =>
      typeof value === "string" ? maskOne(name, value) : value.map((one) => maskOne(name, one)),
    ),
    headers: mapEntries(headers, (name, value) => maskHeader(name, value, isSecretParameter)),
    body: maskValues(body, isSecretProperty),
  };
}

function mapEntries<T>(members: Readonly<Record<string, T>>, change: (name: string, value: T) => T) {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(name, value)]));
}
