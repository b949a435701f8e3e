/* What a run counts: whether the server still responds, and accepts the credentials. */
import { messageOf } from "../contract/failures.ts";
import type { SecurityScheme } from "../contract/security.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { maskAndCut } from "../exchange/secrets.ts";
import { getOrCreate } from "../values/collections.ts";
import { escapeControls } from "../values/text.ts";
import type { PlannedCall } from "./planCalls.ts";

export interface CallCounts {
  /** The outcomes of calls with credentials, by credential. */
  readonly credentials: Map<SecurityScheme, CredentialUse>;
  /** The last call with a response. */
  answered?: Exchange | undefined;
  /** The calls since then. */
  silent: readonly Exchange[];
  /** Calls whose last response was a 429. */
  limited: number;
}

/** The outcomes of the calls with a credential that got a response. */
export interface CredentialUse {
  /** The name of the generation. */
  readonly generation: string;
  readonly scheme: SecurityScheme;
  calls: number;
  /** The number of these calls with the response 401 or 403. */
  refusals: number;
  /** The number of successful calls for which the contract requires credentials. */
  successes: number;
}

/** The run ends after this number of consecutive calls without a response. */
const maxSilent = 5;
/** The run ends after this number of calls with a 429, even after waiting as long as the server asked. */
const maxLimited = 3;

/** Keeps the calls without a response, and counts those with a 429. */
export function countResponse(counts: CallCounts, exchange: Exchange): void {
  const { response } = exchange;
  if (response !== undefined) counts.answered = exchange;
  counts.silent = response === undefined ? [...counts.silent, exchange] : [];
  if (response?.status === 429) counts.limited += 1;
}

/** Counts the outcomes of a call's credentials. A `status` of 0 means no response. */
export function countCredentials(
  { credentials }: CallCounts,
  { generation, operation, schemes = [] }: PlannedCall,
  status: number,
): void {
  if (status === 0) return;
  const isRequired = operation.security.every((alternative) => alternative.length > 0);
  for (const scheme of schemes) {
    const none = { generation: generation.name, scheme, calls: 0, refusals: 0, successes: 0 };
    const use = getOrCreate(credentials, scheme, () => none);
    use.calls += 1;
    if (status === 401 || status === 403) use.refusals += 1;
    if (isRequired && status >= 200 && status < 300) use.successes += 1;
  }
}

/** The refused credentials. An operation that requires none may ignore them, so its success says nothing. */
export function refusedCredentials({ credentials }: CallCounts): readonly CredentialUse[] {
  return [...credentials.values()].filter(({ refusals, successes }) => refusals > 0 && successes === 0);
}

/** Returns whether the server has stopped responding. */
export function isSilent({ silent }: CallCounts): boolean {
  return silent.length >= maxSilent;
}

/** Why a run must end: it was stopped, or the server refuses it or doesn't respond. `undefined` if it goes on. */
export function whyEnded({ counts, stop }: { readonly counts: CallCounts; readonly stop: AbortSignal }) {
  const { silent, answered, limited } = counts;
  if (stop.aborted) return messageOf(stop.reason);
  if (limited >= maxLimited) return `${limited} calls got the response 429, even after waiting. Try a lower --rate`;
  const [first] = silent;
  if (!isSilent(counts) || first === undefined) return undefined;
  const { failure } = silent.at(-1) ?? first;
  const reason = failure === undefined ? "" : ` (${escapeControls(failure)})`;
  const before = answered === undefined ? "" : `. The first was ${nameOf(first)}, after ${nameOf(answered)}`;
  return `${silent.length} calls in a row had no response${reason}${before}`;
}

function nameOf({ method, url }: Exchange): string {
  return `${method} ${escapeControls(maskAndCut(new URL(url).pathname))}`;
}
