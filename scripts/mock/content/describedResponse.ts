import type { MediaType, Operation } from "../../contract/generation.ts";
import { isBinaryContent } from "../../spec/binary.ts";
import { isToken } from "../../spec/headerFields.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import { exampleFile } from "./exampleFile.ts";
import { resolveSchema, type OpenApiDocument, type SchemaObject } from "../../spec/openapi.ts";
import { isDefaultStatus, withoutContent } from "../../spec/statusKeys.ts";
import { maskAndCut } from "../../exchange/secrets.ts";
import { responseViolation, unlessUnusable, UnusableSchema } from "../../exchange/validator.ts";
import { describeSchemaViolation, generateValue, saysNothing } from "./generatedValue.ts";
import { schemaValue } from "../../samples/schemaValue.ts";
import { selectResponse } from "../../contract/selectedResponse.ts";
import { acceptedContent, chooseExample } from "./prism.ts";
import { isRefusal, refuseContent, type Refusal } from "../../exchange/refusal.ts";
import { refusePreference, unmetPreference, type Preferences } from "./preferences.ts";

/** A response that the contract describes, before it is serialized. */
export interface DescribedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string | undefined;
  readonly value: unknown;
  readonly schema?: SchemaObject;
  readonly note?: string;
}

/** The preferences of a request, or else those of the mock's options. */
export interface PreferredResponse {
  readonly preferences: Preferences;
  readonly accept: string;
  readonly dynamic: boolean;
  readonly seed: string | undefined;
}

export type ResponseMaker = ReturnType<typeof createResponseMaker>;

/** The cache size: an operation has few examples, and clients send few different Accept headers. */
const keptResponses = 50;
const maxKeyLength = 500;

/** Makes the responses of an operation from its examples and schemas. */
export function createResponseMaker(operation: Operation) {
  const kept = new Map<string, DescribedResponse>();
  const make = (wishes: PreferredResponse): Promise<DescribedResponse | Refusal> =>
    makeResponse(operation, wishes).catch((error: unknown) => {
      if (error instanceof UnusableSchema) return notGenerated(error.message);
      throw error;
    });
  const describe = async (wishes: PreferredResponse): Promise<DescribedResponse | Refusal> => {
    const { preferences, accept, dynamic } = wishes;
    if (dynamic) return make(wishes);
    const key = JSON.stringify([preferences.code, preferences.example, preferences.dynamic, accept]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const response = await make(wishes);
    if (isRefusal(response) || key.length > maxKeyLength) return response;
    if (kept.size >= keptResponses) kept.clear();
    kept.set(key, response);
    return response;
  };
  return {
    describe,
    unmet: (preferences: Preferences) => unmetPreference(operation, preferences),
    /**
     * The failure response for a status. Resolves to `undefined` if the contract doesn't describe its
     * content.
     */
    describeFailure: async (status: number, wishes: PreferredResponse): Promise<DescribedResponse | undefined> => {
      const code = String(status);
      const { content = [] } = selectResponse(operation, code) ?? {};
      const isUnspecified = ({ examples, schema }: MediaType) =>
        examples.length === 0 && saysNothing(resolveSchema(operation.document, schema));
      if (content.every(isUnspecified)) return undefined;
      const named = await describe({ ...wishes, preferences: { ...wishes.preferences, code } });
      const response = isRefusal(named) ? await describe({ ...wishes, preferences: { code } }) : named;
      return isRefusal(response) ? undefined : response;
    },
  };
}

async function makeResponse(operation: Operation, { preferences, accept, dynamic, seed }: PreferredResponse) {
  const { document } = operation;
  const unmet = unmetPreference(operation, preferences);
  if (unmet !== undefined) return refuseContent([refusePreference(unmet)]);
  const declared = selectResponse(operation, preferences.code);
  if (declared === undefined) return withoutResponse;
  const status = Number(declared.status);
  const accepted = acceptedContent(declared.content, accept);
  // A failure tells more than a 406 (RFC 9110, section 15.5.7).
  const isUnasked = accepted !== undefined && isRefusal(accepted) && status >= 400;
  const content = isUnasked ? acceptedContent(declared.content, "") : accepted;
  if (content !== undefined && isRefusal(content)) return content;
  // Without a code, `default` is all that the contract says about the response.
  const isUnlisted = preferences.code !== undefined && isDefaultStatus(declared.name);
  const unlisted = isUnlisted ? `the contract lists no ${status} for this operation, only "default"` : undefined;
  const maker = { document, dynamic, seed };
  const headers: Record<string, string> = {};
  for (const { name, schema, example } of declared.headers) {
    const made = await makeValue(example, schema, false, maker);
    if ("failure" in made) return notGenerated(`of its header ${name}, ${made.failure}`);
    Object.assign(headers, readHeader(name, made.value));
  }
  if (content === undefined || withoutContent.has(status)) {
    const note = unlisted && `${unlisted}, which has no content`;
    return { status, headers, mediaType: undefined, value: undefined, ...(note !== undefined && { note }) };
  }
  const { mediaType, schema } = content;
  const example = chooseExample(content, document, preferences.example, dynamic);
  if ("failure" in example) return notGenerated(example.failure);
  if (isBinaryContent(document, content)) {
    const value = typeof example.value === "string" ? example.value : exampleFile(mediaType);
    return { status, headers, mediaType, value };
  }
  const made = await makeValue(example.value, schema, isJson(mediaType), maker);
  if ("failure" in made) return notGenerated(made.failure);
  const isStructure = typeof made.value === "object" && made.value !== null;
  const isNamed = declared.content.some((one) => one.mediaType === mediaType);
  if (isStructure && isNamed && !isJson(mediaType))
    return notGenerated(`${mediaType} is a text, but its example or schema is not`);
  if (!isJson(mediaType) || made.value !== undefined) return { status, headers, mediaType, schema, ...made };
  // A JSON body without a schema is `{}`. Clients can parse it, and can't come to rely on anything in it.
  const note = `${unlisted === undefined ? "the contract" : `${unlisted}, and`} doesn't specify the body: {} is a placeholder`;
  return { status, headers, mediaType, schema, value: {}, note };
}

const withoutResponse: Refusal = {
  status: 500,
  detail:
    "The mock cannot generate this response from the contract: the contract declares no response for this operation. " +
    "Add `responses` to the operation.",
};

function notGenerated(why: string): Refusal {
  const detail =
    `The mock cannot generate this response from the contract: ${maskAndCut(why, 300)}. ` +
    "Add an example to the contract, or request another response with Prefer: code=... or example=....";
  return { status: 500, detail };
}

/** The valid example of a body or header. If there is none, a value made from its schema. */
async function makeValue(
  example: unknown,
  schema: SchemaObject,
  isExampleChecked: boolean,
  { document, dynamic, seed }: Pick<PreferredResponse, "dynamic" | "seed"> & { readonly document: OpenApiDocument },
): Promise<{ readonly value: unknown; readonly note?: string } | { readonly failure: string }> {
  const findViolation = responseViolation(schema, document);
  const isChecked = example !== undefined && isExampleChecked;
  const violation = isChecked ? unlessUnusable(() => findViolation(example), String) : undefined;
  if (typeof violation === "string") return { value: example, note: `the example is sent unchecked: ${violation}` };
  if (example !== undefined && violation === undefined) return { value: example };
  if (saysNothing(resolveSchema(document, schema))) return { value: undefined };
  const sample = dynamic ? undefined : schemaValue(schema, document, { direction: "response", members: "all" });
  const isUsed = sample !== undefined && findViolation(sample.value) === undefined;
  const made = isUsed ? sample : await generateValue(schema, document, dynamic ? seed : "");
  if (violation === undefined) return made;
  return { ...made, note: `the contract's own example is invalid and not sent: ${describeSchemaViolation(violation)}` };
}

/** The server sets these headers. A generated value would break the connection. */
const serverHeaders = new Set(
  "connection content-length content-type keep-alive trailer transfer-encoding upgrade".split(" "),
);

/** A header with its name in lower case. Empty if its value isn't one of a header, such as `null` or an object. */
export function readHeader(name: string, value: unknown): Readonly<Record<string, string>> {
  if (serverHeaders.has(name.toLowerCase()) || !["string", "number", "boolean"].includes(typeof value)) return {};
  return isToken(name) ? { [name.toLowerCase()]: String(value) } : {};
}
