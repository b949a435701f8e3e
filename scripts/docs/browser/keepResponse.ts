import { attempt } from "../../contract/failures.ts";
import { elementsOf, stringMembersOf, valueAt } from "../../values/json.ts";
import { readBodyText, type Received } from "./sendRequest.ts";

/** A response with the hash that identifies its request. */
export interface Answered {
  readonly sent: string;
  readonly received: Received;
  /** Why the request may be a mistake although it is valid. */
  readonly note?: string | undefined;
}

/** The form's response while the page reloads. Only pages that follow the docs reload. */
export interface KeptResponse {
  /** Returns the response of this page as JSON. */
  save: () => unknown;
  /** What the page before the reload saved. */
  saved: unknown;
}

declare global {
  interface Window {
    keptResponse?: KeptResponse;
  }
}

/**
 * Keeps the response of the form while the page reloads, so that it can be compared with the changed contract. `saved` is
 * the one from before the reload. Files aren't kept.
 */
export function keepResponse() {
  let last: Answered | undefined;
  // A status above 599 can be received, but not written.
  const saved = attempt(() => readSaved(window.keptResponse?.saved));
  if (window.keptResponse !== undefined) window.keptResponse.save = () => last && toJson(last);
  return {
    saved,
    /** Takes the response that is shown, or `undefined` if there is none to keep. */
    keep: (answered: Answered | undefined): void => {
      last = answered;
    },
  };
}

function toJson({ sent, note, received: { response, text, milliseconds } }: Answered) {
  const { status, statusText, headers } = response;
  const kept = { sent, note, status, statusText, headers: [...headers], text, milliseconds };
  return text === undefined ? undefined : kept;
}

function readSaved(saved: unknown): Answered | undefined {
  if (saved === undefined || saved === null) return undefined;
  const { sent = "", note, statusText = "", text = "" } = stringMembersOf(saved);
  const pairs = elementsOf(valueAt(saved, ["headers"])).map((pair) => elementsOf(pair).map(String));
  const headers = Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, value]));
  const status = Number(valueAt(saved, ["status"]));
  const response = new Response(null, { status, statusText, headers });
  const milliseconds = Number(valueAt(saved, ["milliseconds"]));
  const body = new TextEncoder().encode(text).buffer;
  return { sent, note, received: { response, ...readBodyText(response, body, text), omission: "", milliseconds } };
}
