import type { Operation } from "../contract/generation.ts";
import { exactInteger } from "./schema/prepareSchema.ts";
import { getOrCreate } from "../values/collections.ts";
import { uncapitalize } from "../values/text.ts";
import { tellViolations } from "./checkResponse.ts";
import { describeUnreadable } from "./judgeResponse.ts";
import { pointerTo } from "../contract/operationPointer.ts";
import { describeBody } from "./describedValues.ts";
import { createParameterCheck } from "./parameters.ts";
import { isRefusal } from "./refusal.ts";
import type { FoundViolation } from "./requestViolation.ts";
import { parseJsonBody } from "./requestBody.ts";
import { createValidator, unlessUnusable, type Verdict } from "./validator.ts";
import { isOpenValue } from "./openValues.ts";
import { isObject, parseJson } from "../values/json.ts";
import { contentOfType, isJson } from "../spec/mediaTypes.ts";
import { applicableSchemas } from "../spec/schemas.ts";
import type { VerifiedExchange } from "./observation.ts";
import { unlistedValues } from "./unlistedValues.ts";

/** The values of path parameters without percent-encoding. */
type PathValues = Readonly<Record<string, string>>;

/**
 * Makes a function that checks accepted requests against the contract, as the mock does. It observes violations,
 * unlisted parameters and properties, and the properties of bodies without a schema. `credentials`: the names of
 * parameters that carry credentials.
 */
export function createRequestCheck(credentials: ReadonlySet<string>) {
  const parameterChecks = new Map<Operation, ReturnType<typeof createParameterCheck>>();
  return (context: VerifiedExchange, path: PathValues): void => {
    const { operation, query, requestFields, observe } = context;
    const place = pointerTo(operation, "parameters");
    const violations = unlessUnusable(
      () => {
        const check = getOrCreate(parameterChecks, operation, () => createParameterCheck(operation));
        return check({ path, query, header: requestFields }).violations;
      },
      (message): readonly FoundViolation[] => {
        observe("untested", place, { code: "unchecked", direction: "request", message });
        return [];
      },
    );
    for (const { place: subject, rule, message, received, ...at } of violations) {
      const said = subject === undefined || rule === undefined ? message : `${subject} ${rule}`;
      const shown = isShown(operation, at, received) ? received : undefined;
      observe(kindOfAccepted(at.code), place, { ...inRequest(at.code, said), expected: at.expected, received: shown });
    }
    tellUnlisted(context, credentials);
    checkBody(context);
  };
}

/** Returns whether the received value of a parameter can't be a secret. `received` is JSON, or the name of a type. */
function isShown(
  { document, parameters }: Operation,
  { in: place, name }: Pick<FoundViolation, "in" | "name">,
  received: string | undefined,
): boolean {
  const value = parseJson(received ?? "");
  const schemas = parameters
    .filter((one) => one.in === place && one.name === name)
    .flatMap(({ schema }) => applicableSchemas(document, schema));
  return isOpenValue(document, value, schemas);
}

function inRequest(code: string, rule: string) {
  return { code, direction: "request", message: `in an accepted request, ${uncapitalize(rule)}` } as const;
}

/**
 * The kind of finding for an accepted request that violates a keyword. An integer that JavaScript rounds doesn't
 * contradict the contract. A format only annotates in the schemas of OpenAPI 3.1 (JSON Schema 2020-12 Validation, section 7.2.1), so servers
 * needn't reject others.
 */
export function kindOfAccepted(code: string): "contradiction" | "doubt" {
  return code === exactInteger || code === "format" ? "doubt" : "contradiction";
}

/** Observes query parameters that the contract doesn't list. */
function tellUnlisted({ operation, query, observe }: VerifiedExchange, credentials: ReadonlySet<string>): void {
  const { parameters } = operation;
  // Any name may be a part of a parameter that is only shown.
  if (parameters.some((one) => one.in === "query" && !one.isText)) return;
  const names = parameters.map(({ name }) => name);
  for (const [name, value] of Object.entries(query)) {
    if (names.includes(name) || credentials.has(name)) continue;
    // Without a value, the name may be one.
    const subject = value === "" ? "a query parameter without a value" : `the query parameter ${name}`;
    const message = `${subject} isn't listed, but is accepted`;
    observe("unlisted", pointerTo(operation, "parameters"), { code: "parameter", direction: "request", message });
  }
}

function checkBody({ operation, requestFields, exchange, observe }: VerifiedExchange): void {
  const { requestBody, document } = operation;
  const { body } = exchange.request;
  // An archive may lack the body.
  if (requestBody === undefined || body === undefined || body.length === 0) return;
  const type = requestFields["content-type"];
  const content = contentOfType(requestBody.content, type ?? "application/json");
  const around = pointerTo(operation, "requestBody", "content");
  if (content === undefined) {
    const expected = requestBody.content.map(({ mediaType }) => mediaType).join(" or ");
    const fact = inRequest("media-type", `the media type is ${expected}`);
    if (type !== undefined) observe("contradiction", around, { ...fact, received: type });
    return;
  }
  if (!isJson(type ?? content.mediaType)) return;
  const { schema, mediaType } = content;
  const place = pointerTo(operation, "requestBody", "content", mediaType, "schema");
  const parsed = parseJsonBody(Buffer.from(body));
  if (isRefusal(parsed)) {
    const received = describeUnreadable(parsed);
    observe("contradiction", place, { ...inRequest("syntax", "the body is JSON"), received });
    return;
  }
  const { value } = parsed;
  const { violations } = unlessUnusable(
    () => createValidator(schema, document)(value),
    (message): Verdict => {
      observe("untested", place, { code: "unchecked", direction: "request", message });
      return { violations: [], isPartial: false };
    },
  );
  const tell: Parameters<typeof tellViolations>[1]["tell"] = (_, at, { code, message, expected, received }) => {
    observe(kindOfAccepted(code), at, { ...inRequest(code, message), expected, received });
  };
  tellViolations(violations, { value, schema, document, place, tell });
  if (violations.length > 0 || !isObject(value)) return;
  for (const received of Object.keys(value))
    observe("gap", place, { code: "properties", direction: "request", message: "accepted bodies had", received });
  const described = describeBody(document, value, schema);
  for (const { code, message, received } of described.flatMap((one) => unlistedValues(document, one)))
    observe("unlisted", place, { ...inRequest(code, message), received });
}
