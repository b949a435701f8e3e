import type { Header, MediaType, Response } from "../contract/generation.ts";
import { withoutEnd } from "../contract/text.ts";
import { contentOfType, essenceOf, isJson, parametersOf } from "../spec/mediaTypes.ts";
import { isSchema, leavesOpen, resolveSchema, responseOf, type OpenApiDocument } from "../spec/openapi.ts";
import { isUntyped } from "../spec/schemaKeywords.ts";
import { isDefaultStatus, isStatusRange } from "../spec/statusKeys.ts";
import type { Headers } from "./exchange.ts";
import type { Refusal } from "./refusal.ts";
import type { SchemaViolation } from "./schema/run.ts";
import { findViolations, unlessUnusable } from "./validator.ts";
import { createValueReader, type Splitting } from "./valueReader.ts";

/**
 * What a response shows about the contract. `violation`: the contract forbids it. `unlisted`: the contract
 * allows it without listing it. `gap`: it fills a gap. `absence`: a required property is missing, and the
 * contract doesn't specify which are always present. `unchecked`: it could not be checked.
 */
export type ResponseNews = "absence" | "gap" | "unchecked" | "unlisted" | "violation";

/** What a response is compared with. Schemas may be booleans. */
interface DescribedResponse extends Pick<Response, "status"> {
  readonly headers: readonly (Pick<Header, "name" | "required"> & { readonly schema: unknown })[];
  readonly content: readonly (Pick<MediaType, "mediaType"> & { readonly schema: unknown })[];
}

/** A response, and those that the contract has for its operation. */
interface JudgedResponse<Described extends DescribedResponse> {
  readonly responses: readonly Described[];
  /** The document that the references of the schemas lead into. */
  readonly document: OpenApiDocument;
  /** The method of the request, in upper case. */
  readonly method: string;
  readonly status: number;
  readonly fields: Headers;
  /** True if header fields may be missing here that were received. Browsers hide those of other origins. */
  readonly hasHiddenFields?: boolean;
  /** `undefined` if it is unknown. */
  readonly body: Uint8Array | undefined;
  /** Parses a body that is JSON, or says in a sentence what is wrong with it. */
  readonly parse: (body: Uint8Array) => { readonly value: unknown } | Pick<Refusal, "detail">;
  readonly isSuccess: boolean;
  /**
   * Takes one observation: the keys of its place below the responses of the operation, the rule or the observation in
   * words, and the received value if the message leaves it out.
   */
  readonly tell: (kind: ResponseNews, keys: readonly string[], message: string, received?: string | number) => void;
}

/** A body that is JSON, and the violations of its schema as a tree. */
interface JudgedBody {
  readonly value: unknown;
  readonly violations: readonly SchemaViolation[];
  /** What takes too long to validate, if anything does. */
  readonly unchecked: SchemaViolation | undefined;
}

/** An observation in words: `the media type is application/json; received text/html`. */
export function withReceived(message: string, received?: string | number): string {
  return received === undefined ? message : `${message}; received ${received}`;
}

/**
 * Judges a response by the contract, in Node.js and in pages. Returns what the contract has for it, whether it leaves the
 * body of a failure open, and the body if that is JSON, whose violations aren't told.
 */
export function judgeResponse<Described extends DescribedResponse>(judged: JudgedResponse<Described>) {
  const { responses, document, method, status, fields, body = new Uint8Array(), isSuccess, tell } = judged;
  const described = responseOf(responses, status);
  if (described === undefined) {
    tellStatus(judged);
    return {};
  }
  const { content: contents } = described;
  const keys = [described.status];
  if (isStatusRange(described.status)) tell("gap", keys, `${described.status} was`, status);
  judgeHeaders(judged, described);
  if (method === "HEAD") return { described };
  const type = fields["content-type"] ?? "";
  if (!isSuccess && contents.every(({ schema }) => isOpen(document, schema))) return { described, isUnspecified: true };
  if (contents.length === 0) {
    if (body.length > 0) tell("violation", keys, "there is no body", `${body.length} bytes`);
  } else {
    const content: Described["content"][number] | undefined = contentOfType(contents, type);
    if (content !== undefined)
      return { described, content, body: isJson(type) ? judgeJson(judged, described, content) : undefined };
    const expected = contents.map(({ mediaType }) => mediaType).join(" or ");
    tell("violation", [...keys, "content"], `the media type is ${expected}`, type === "" ? "none" : essenceOf(type));
  }
  return { described };
}

/** Returns whether a schema specifies nothing. */
export function isOpen(document: OpenApiDocument, schema: unknown): boolean {
  return isSchema(schema) ? isUntyped(resolveSchema(document, schema)) : schema === true;
}

/** The address of a redirect, without a password and without a query, which may contain secrets. */
function withoutSecrets(location: string): string {
  if (!URL.canParse(location)) return location.split(/[?#]/)[0] ?? "";
  const { origin, pathname } = new URL(location);
  return origin + pathname;
}

/** Tells of a status that the contract does not list. */
function tellStatus<Described extends DescribedResponse>({
  responses,
  status,
  fields,
  tell,
}: JudgedResponse<Described>) {
  const { location } = fields;
  const received =
    location === undefined || status < 300 || status >= 400 ? status : `${status} to ${withoutSecrets(location)}`;
  const listed = responses.map((one) => one.status).filter((one) => !isDefaultStatus(one));
  // Beside a listed success, `default` is for failures.
  const failures = listed.length === responses.length ? "" : ", or 4XX or 5XX for a failure";
  if (leavesOpen(responses, status)) tell("unlisted", [], "the status of a failure isn't listed", status);
  else tell("violation", [], `the status must be ${listed.join(" or ")}${failures}`, received);
}

/** The style `simple` without `explode`, which header fields have. */
const simpleSplitting: Splitting = {
  text: (sent) => sent,
  list: (sent) => splitByComma(sent).map((item) => item.trim()),
  members: (sent) => {
    if (sent === undefined) return undefined;
    const parts = splitByComma(sent);
    return Object.fromEntries(
      parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? ""]] : [])),
    );
  },
};

function splitByComma(sent: string | readonly string[]): readonly string[] {
  return [sent].flat().flatMap((text) => (text === "" ? [] : text.split(",")));
}

function judgeHeaders<Described extends DescribedResponse>(
  { document, fields, hasHiddenFields = false, tell }: JudgedResponse<Described>,
  { status, headers }: DescribedResponse,
): void {
  for (const { name, schema, required } of headers) {
    const field = fields[name.toLowerCase()];
    const keys = [status, "headers", name];
    const { read } = createValueReader(schema, document);
    const reading = unlessUnusable(
      () => read(field, simpleSplitting),
      (reason) => {
        tell("unchecked", keys, reason);
      },
    );
    if (required && !hasHiddenFields && field === undefined)
      tell("violation", keys, `the header ${name} is required`, "none");
    for (const { message } of reading?.violations ?? []) tell("violation", keys, `the header ${name} ${message}`);
  }
}

function judgeJson<Described extends DescribedResponse>(
  { document, fields, body, parse, tell }: JudgedResponse<Described>,
  { status }: DescribedResponse,
  { mediaType, schema }: DescribedResponse["content"][number],
): JudgedBody | undefined {
  const keys = [status, "content", mediaType, "schema"];
  const charset = parametersOf(fields["content-type"] ?? "").get("charset") ?? "utf-8";
  if (!["utf-8", "utf8"].includes(charset.toLowerCase()))
    tell("violation", keys, "the charset of JSON is UTF-8", charset);
  if (body === undefined) {
    tell("unchecked", keys, "the body was not recorded");
    return undefined;
  }
  const parsed = parse(body);
  if ("detail" in parsed) {
    tell("violation", keys, "the body is JSON", body.length === 0 ? "no body" : describeUnreadable(parsed));
    return undefined;
  }
  const { value } = parsed;
  const { violations, stopped, place } = unlessUnusable(
    () => findViolations(schema, value, { document, oneWay: "writeOnly" }),
    (reason) => {
      tell("unchecked", keys, reason);
      return { violations: [], stopped: undefined, place: undefined };
    },
  );
  const partial =
    violations.length > 0 ? "has more violations than can be listed" : "cannot be checked against its schema";
  if (stopped !== undefined) tell("unchecked", keys, `the body ${partial}`);
  return { value, violations, unchecked: violations.length > 0 ? undefined : place };
}

/** What a body is that can't be parsed: `a body that is not UTF-8`. */
export function describeUnreadable({ detail }: Pick<Refusal, "detail">): string {
  return `a body that ${withoutEnd(detail, ".").replace("The body ", "")}`;
}
