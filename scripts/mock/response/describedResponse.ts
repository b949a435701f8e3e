import { validateHeaderName, validateHeaderValue } from "node:http";
import type { Operation } from "../../contract/generation.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import type { Preferences } from "../request/preferences.ts";
import { shorten } from "../secrets.ts";
import { acceptedContent, notAcceptable } from "./acceptedContent.ts";
import {
  convertOperation,
  generateResponse,
  saysNothing,
  selectResponse,
  type GeneratedResponse,
  type PrismContent,
  type PrismOperation,
  type PrismResponse,
} from "./prism.ts";
import { isRefusal, refuseContent, type Refusal } from "./refusal.ts";
import { unmetPreferences } from "./unmetPreferences.ts";

/** A response that the contract describes, before it is written. */
export interface DescribedResponse {
  readonly status: number;
  /** Without those that the server sets. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` if the response has no content. */
  readonly mediaType: string | undefined;
  readonly value: unknown;
  /** Why the response is not what one might expect. */
  readonly note?: string;
}

/** The wishes of a request, or else of the mock's options. */
export interface ResponseWishes {
  readonly preferences: Preferences;
  /** The Accept header; empty if there is none. */
  readonly accept: string;
  /** Generate responses from schemas at random. */
  readonly dynamic: boolean;
  /** The seed of random responses. */
  readonly seed: string | undefined;
}

export type ResponseMaker = ReturnType<typeof createResponseMaker>;

/** An operation has a few examples, and clients send the same few Accept headers. */
const keptResponses = 50;
const longestKey = 500;

/** Makes the responses of an operation from its examples and schemas. */
export function createResponseMaker(operation: Operation) {
  const prism = convertOperation(operation);
  const kept = new Map<string, DescribedResponse>();
  const describe = async (wishes: ResponseWishes): Promise<DescribedResponse | Refusal> => {
    const { preferences, accept, dynamic } = wishes;
    if (dynamic) return makeResponse(prism, wishes);
    const key = JSON.stringify([preferences.code, preferences.example, preferences.dynamic, accept]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const response = await makeResponse(prism, wishes);
    if (isRefusal(response) || key.length > longestKey) return response;
    if (kept.size >= keptResponses) kept.clear();
    kept.set(key, response);
    return response;
  };
  return {
    describe,
    /** Says which preferences cannot be met, and what can. */
    unmet: (preferences: Preferences) => unmetPreferences(prism, preferences),
    /** The failure with a status; `undefined` if the contract says nothing of its content. */
    describeFailure: async (status: number, wishes: ResponseWishes): Promise<DescribedResponse | undefined> => {
      const { contents = [] } = selectResponse(prism, String(status)) ?? {};
      if (contents.every(isUnspecified)) return undefined;
      const response = await describe({ ...wishes, preferences: { code: String(status) } });
      return isRefusal(response) ? undefined : response;
    },
  };
}

async function makeResponse(
  operation: PrismOperation,
  { preferences, accept, dynamic, seed }: ResponseWishes,
): Promise<DescribedResponse | Refusal> {
  const unmet = unmetPreferences(operation, preferences);
  if (unmet.length > 0) return refuseContent(unmet);
  const declared = selectResponse(operation, preferences.code);
  if (declared === undefined) return notGenerated("the contract declares no response for this operation");
  const accepted = acceptedContent(declared, accept);
  if (isRefusal(accepted)) return accepted;
  const { response } = accepted;
  const generated = await generateResponse(operation, response, {
    accept: accepted.accept,
    example: preferences.example,
    // Without a schema there is nothing to generate from.
    dynamic: dynamic && (response.contents ?? []).every(({ schema }) => schema !== undefined),
    seed,
  });
  if (!("failure" in generated)) return readGenerated(generated, response);
  return generated.failure === undefined ? notAcceptable(accept, response) : notGenerated(generated.failure);
}

/** Nothing is wrong with the request: the contract declares a response that cannot be made. */
function notGenerated(why: string): Refusal {
  const detail =
    `The mock cannot generate this response from the contract: ${shorten(why, 300)}. ` +
    "Add an example to the contract, or request another response with Prefer: code=... or example=....";
  return { status: 500, detail };
}

/** Statuses whose responses have no content. */
export const withoutContent: ReadonlySet<number> = new Set([204, 205, 304]);

function readGenerated(generated: GeneratedResponse, { contents = [] }: PrismResponse): DescribedResponse {
  const { status, mediaType, body } = generated;
  const headers = Object.fromEntries([...generated.headers].flatMap(readHeader));
  const content = contents.find((candidate) => candidate.mediaType === mediaType);
  if (mediaType === undefined || content === undefined || withoutContent.has(status)) {
    return { status, headers, mediaType: undefined, value: undefined };
  }
  // A JSON body of which nothing is known is `{}`: clients can read it, and can rely on nothing in it.
  const isEmpty = isJson(mediaType) && (isUnspecified(content) || body === undefined);
  return { status, headers, mediaType, value: isEmpty ? {} : body };
}

function isUnspecified({ schema, examples = [] }: PrismContent): boolean {
  return examples.length === 0 && saysNothing(schema ?? {});
}

/** The server sets these; a generated value would break the connection. */
const serverHeader = /^(?:connection|content-length|content-type|keep-alive|trailer|transfer-encoding|upgrade)$/i;

/** A header with its name in lower case, if its value can be one; Prism also generates `null` and objects. */
export function readHeader([name, value]: readonly [string, unknown]): readonly (readonly [string, string])[] {
  if (serverHeader.test(name) || !["string", "number", "boolean"].includes(typeof value)) return [];
  try {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
    return [[name.toLowerCase(), String(value)]];
  } catch {
    return [];
  }
}
