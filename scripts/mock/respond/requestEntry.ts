import type { ReceivedRequest, RequestEntry } from "../mockTypes.ts";
import type { MockRequest } from "./mockRequest.ts";
import { memoryOf } from "../state/budget.ts";
import { maskHeader, maskParameter, maskValues, type Secrets } from "../../exchange/secrets.ts";

/** What becomes known of a request while it is answered. */
export interface Receipt {
  received: ReceivedRequest | undefined;
  /** Size of the parsed body, in bytes. */
  bodySize: number;
  /** Remarks on the request, for its entry and for the header `x-mock-note`. They contain no secrets. */
  readonly notes: string[];
}

/** A receipt of a request of which nothing is known yet. */
export function createReceipt(): Receipt {
  return { received: undefined, bodySize: 0, notes: [] };
}

/** A request that was answered. */
export interface KeptRequest {
  /** Gives its entry. Few are ever read: what the client sent is masked the first time, and kept no longer. */
  readonly readEntry: () => RequestEntry;
  /** About how much memory it takes, in bytes. */
  readonly size: number;
}

const longestBody = 2 ** 16;

/** `logged`: the part of the entry that is in the log, too. */
export function createKeptRequest(
  logged: RequestEntry,
  { target, headers }: Pick<MockRequest, "headers" | "target">,
  { received, bodySize }: Pick<Receipt, "bodySize" | "received">,
  secrets: Pick<Secrets, "isSecretParameter" | "isSecretProperty">,
): KeptRequest {
  const isTooLong = bodySize > longestBody;
  let sent = isTooLong && received ? { ...received, body: `${bodySize} bytes: too long to be kept` } : received;
  // The path and query of what was received are in the target.
  let size = 1_000 + 3 * target.length + memoryOf(sent?.body);
  for (const [name, value] of Object.entries(headers)) size += name.length + value.length;
  let entry: RequestEntry | undefined;
  const readEntry = () => {
    entry ??= { ...logged, ...(sent && withoutSecrets(sent, secrets)) };
    sent = undefined;
    return entry;
  };
  return { size, readEntry };
}

function withoutSecrets(
  { path, query, headers, body, ...received }: ReceivedRequest,
  { isSecretParameter, isSecretProperty }: Pick<Secrets, "isSecretParameter" | "isSecretProperty">,
): ReceivedRequest {
  const maskOne = (name: string, value: string) => maskParameter(name, value, isSecretParameter);
  const maskAll = (name: string, value: string | string[]) =>
    typeof value === "string" ? maskOne(name, value) : value.map((one) => maskOne(name, one));
  return {
    ...received,
    path: mapEntries(path, maskOne),
    query: mapEntries(query, maskAll),
    headers: mapEntries(headers, (name, value) => maskHeader(name, value, isSecretParameter)),
    body: maskValues(body, isSecretProperty),
  };
}

function mapEntries<T>(members: Readonly<Record<string, T>>, change: (name: string, value: T) => T) {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(name, value)]));
}
