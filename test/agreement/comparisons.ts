/** Comparisons of what the parts say about a made contract. The judge is ajv, or how the values were made. */
import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { cookieParameters, createContractClient, otherContent } from "../../scripts/client/index.ts";
import { messageOf } from "../../scripts/contract/failures.ts";
import { readGeneration, type Generation } from "../../scripts/contract/generation.ts";
import { createValidator } from "../../scripts/exchange/validator.ts";
import { createEngine } from "../../scripts/mock/server/engine.ts";
import { collectFacts } from "../../scripts/pipeline/clientModule.ts";
import { createContractHandler, type HandlerOptions, type ServedOperation } from "../../scripts/server/index.ts";
import { writeResponse } from "../../scripts/server/writtenResponse.ts";
import { isObject, membersOf, valueAt } from "../../scripts/values/json.ts";
import { isDocument } from "../../scripts/spec/openapi.ts";
import { mapObjects } from "../../scripts/spec/walk.ts";
import { exampleRequest, requestTo } from "../fixtures/exampleRequest.ts";
import {
  isJson,
  type Broken,
  type MadeContract,
  type MadeOperation,
  type MadeParameter,
  type Piece,
} from "./contracts.ts";

export interface Disagreement {
  readonly comparison: string;
  /** The constructs that it is about. */
  readonly kinds: readonly string[];
  readonly found: unknown;
}

export interface Comparison {
  readonly compared: number;
  readonly disagreements: readonly Disagreement[];
}

const server = "https://api.example.com";

/** Everything that is compared in a contract. */
export async function compareParts(contract: MadeContract): Promise<Comparison> {
  const { document } = contract;
  if (!isDocument(document)) throw new Error("this is no description");
  const generation = readGeneration("made", document);
  const judge = createJudge(contract.document);
  const results = [compareValidator(contract, generation, judge)];
  for (const [index, operation] of contract.operations.entries()) {
    results.push(await compareCalls(generation, operation, index));
    results.push(await compareSample(generation, operation, index, judge));
  }
  return {
    compared: results.reduce((sum, { compared }) => sum + compared, 0),
    disagreements: results.flatMap(({ disagreements }) => disagreements),
  };
}

type Judge = (schema: object, direction: "request" | "response") => (value: unknown) => boolean;

/** ajv's verdict. Members of the other direction aren't required. */
export function createJudge({ components }: Pick<MadeContract["document"], "components">): Judge {
  const options = { strict: false, validateSchema: false, ownProperties: true, multipleOfPrecision: 9 };
  const ajv = new Ajv2020({ ...options, logger: false });
  addFormats.default(ajv);
  // ajv (8.20) stops at members named `toString`.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({ keyword: "uniqueItems", type: "array", validate: haveDistinctItems });
  return (schema, direction) => {
    const other = direction === "request" ? "readOnly" : "writeOnly";
    const judged = mapObjects({ ...schema, components }, (object) =>
      Array.isArray(object["required"])
        ? { ...object, required: object["required"].filter((name) => name !== other) }
        : object,
    );
    const validate = ajv.compile(isObject(judged) ? judged : {});
    return (value) => validate(value);
  };
}

function haveDistinctItems(isUnique: boolean, items: readonly unknown[]): boolean {
  return !isUnique || items.every((one, at) => !items.slice(0, at).some((other) => isDeepStrictEqual(one, other)));
}

/** A counter of comparisons. */
export function createLog() {
  const disagreements: Disagreement[] = [];
  let compared = 0;
  return {
    check: (agrees: boolean, comparison: string, kinds: readonly string[], found: unknown) => {
      compared += 1;
      if (!agrees) disagreements.push({ comparison, kinds, found });
    },
    result: (): Comparison => ({ compared, disagreements }),
  };
}

/** Our validator says what ajv says, and both what the generator says. */
function compareValidator({ operations }: MadeContract, { document }: Generation, judge: Judge): Comparison {
  const { check, result } = createLog();
  for (const { parameters, body, answer } of operations) {
    const pieces = [
      ...[...parameters, ...(body ? [body] : [])].map(({ piece }) => ["request", piece] as const),
      ...[
        answer.piece ?? [],
        Object.entries(answer.headers).flatMap(([name, piece]) => (name === "Set-Cookie" ? [] : piece)),
      ]
        .flat()
        .map((piece) => ["response", piece] as const),
    ];
    for (const [direction, { kinds, schema, ...values }] of pieces) {
      if (kinds.includes("file")) continue;
      const isValid = judge(schema, direction);
      const validate = createValidator(schema, document, direction === "request" ? "readOnly" : "writeOnly");
      const { valid, broken } = values[direction];
      for (const [value, expected] of [
        ...valid.map((one) => [one, true] as const),
        ...broken.map((one) => [one.value, false] as const),
      ]) {
        const verdict = isValid(value);
        check(verdict === expected, "generator and ajv", kinds, { schema, value, verdict });
        const ours = validate(value).violations.length === 0;
        check(ours === verdict, "validator and ajv", kinds, { schema, value, ours });
      }
    }
  }
  return result();
}

interface Given {
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly body?: unknown;
}

/** What a client, a server and the mock do with the values of an operation. */
async function compareCalls(generation: Generation, made: MadeOperation, index: number): Promise<Comparison> {
  const { check, result } = createLog();
  const operation = generation.operations[index];
  if (operation === undefined) throw new Error("there is no operation");
  const { parameters, body, answer } = made;
  let received: unknown;
  const status = Number(/^\d+$/.test(answer.status) ? answer.status : 200);
  const answers = answer.piece?.response.valid ?? [undefined];
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, { response }]) => [name, response.valid[0]]),
  );
  let answered: unknown;
  const options: HandlerOptions<
    Readonly<Record<string, ServedOperation<unknown, undefined>>>,
    object,
    undefined,
    unknown
  > = {
    authenticate: "none",
    validateResponses: true,
    handlers: {
      [operation.name]: (request: object) => {
        received = { ...request, request: undefined };
        return writeResponse({ status, headers, ...(answered !== undefined && { body: answered }) }, operation);
      },
    },
  };
  const handle = createContractHandler(generation.document, options);
  const wire: Request[] = [];
  const client = createContractClient<never>(
    { ...collectFacts(generation), other: otherContent },
    {
      baseUrl: server,
      fetch: (request: Request) => {
        wire.unshift(request.clone());
        return handle(request);
      },
    },
  );
  client.use(cookieParameters);
  const call = (given: Given): Promise<unknown> =>
    Promise.resolve(Reflect.apply(client.request, undefined, [made.method, made.path, given]));
  const kinds = [...parameters.flatMap(({ piece }) => piece.kinds), ...(body?.piece.kinds ?? [])];
  const first = given(parameters, body?.piece.request.valid[0]);
  const others = [
    ...parameters.flatMap((one) => one.piece.request.valid.slice(1).map((value) => ({ one, value }))),
  ].map(({ one, value }) => ({ ...first, params: withValue(first.params, one, value) }));
  const bodies = (body?.piece.request.valid ?? []).slice(1).map((value) => ({ ...first, body: value }));
  const optional = parameters
    .filter(({ required }) => !required)
    .map((one) => ({ ...first, params: withoutValue(first.params, one) }));
  const bodiless = body === undefined || body.required ? [] : [{ params: first.params }];
  const ways: readonly Given[] = [first, ...others, ...bodies, ...optional, ...bodiless];
  const count = Math.max(ways.length, answers.length);
  for (let at = 0; at < count; at += 1) {
    const one = ways[at % ways.length] ?? first;
    answered = answers[at % answers.length];
    received = undefined;
    const outcome = await call(one).catch((error: unknown) => ({ error: messageOf(error) }));
    const back = await withoutFiles(valueAt(received, ["body"]));
    const sent = await withoutFiles(one.body);
    const places = ["path", "query", "header", "cookie"];
    const arrived = places.every((place) =>
      isDeepStrictEqual(Object.fromEntries(membersOf(valueAt(received, [place]))), one.params[place] ?? {}),
    );
    const problem = valueAt(outcome, ["error"]);
    check(
      arrived,
      "client to server: parameters",
      parameters.flatMap(({ piece }) => piece.kinds),
      { given: one.params, received, problem },
    );
    check(
      isDeepStrictEqual(back, sent),
      "client to server: body",
      [body?.mediaType ?? "", ...(body?.piece.kinds ?? [])],
      { given: sent ?? null, back: back ?? null, problem },
    );
    const data = valueAt(outcome, ["data"]);
    check(
      isDeepStrictEqual(data, answered),
      "server to client",
      [answer.mediaType ?? "", ...(answer.piece?.kinds ?? [])],
      { answered, data, problem },
    );
    const response = valueAt(outcome, ["response"]);
    for (const [name, value] of response instanceof Response ? Object.entries(headers) : []) {
      const { headers: fields } = response instanceof Response ? response : new Response();
      const told = name === "Set-Cookie" ? fields.getSetCookie() : fields.get(name);
      const expected = name === "Set-Cookie" ? value : String(value);
      check(isDeepStrictEqual(told, expected), "headers of the response", ["header"], { name, value, told });
    }
  }
  const mock = createEngine({ generations: [generation], stateless: true });
  for (const request of wire.slice(0, 1)) {
    const response = await mock.fetch(new Request(request));
    check(response.ok, "the mock takes what the client sends", kinds, await response.text());
  }
  const isForm = body?.mediaType !== undefined && !isJson(body.mediaType);
  const wrong = [
    ...parameters.flatMap((one) =>
      one.piece.request.broken.filter(isTextOf).map(({ value }) => ({
        part: one.in,
        kinds: one.piece.kinds,
        value: { ...first, params: withValue(first.params, one, value) },
      })),
    ),
    ...(body?.piece.request.broken ?? [])
      .filter((one) => !isForm || (one.isText && !isDeepStrictEqual(one.value, {})))
      .map(({ value }) => ({
        part: body?.mediaType ?? "",
        kinds: body?.piece.kinds ?? [],
        value: { ...first, body: value },
      })),
  ];
  for (const { part, kinds: own, value } of wrong) {
    wire.length = 0;
    received = undefined;
    await call(value).catch(() => undefined);
    const [request] = wire;
    if (request === undefined) continue;
    check(received === undefined, "the server refuses a mutation", [part, ...own], { value, url: request.url });
    const response = await mock.fetch(new Request(request.clone()));
    check(response.status >= 400 && response.status < 500, "the mock refuses a mutation", [part, ...own], {
      value,
      status: response.status,
    });
  }
  return result();
}

/** A value with the name, the type and the bytes of each file in place of the file. */
async function withoutFiles(value: unknown): Promise<unknown> {
  if (value instanceof File) return { file: value.name, type: value.type, bytes: await value.bytes() };
  if (Array.isArray(value)) return Promise.all(value.map(withoutFiles));
  if (!isObject(value)) return value;
  const members = membersOf(value).map(async ([name, member]) => [name, await withoutFiles(member)] as const);
  return Object.fromEntries(await Promise.all(members));
}

function isTextOf({ isText }: Broken): boolean {
  return isText;
}

function given(parameters: readonly MadeParameter[], body: unknown): Given {
  let params: Given["params"] = {};
  for (const one of parameters) params = withValue(params, one, one.piece.request.valid[0]);
  return { params, ...(body !== undefined && { body }) };
}

function withValue(params: Given["params"], { in: place, name }: MadeParameter, value: unknown): Given["params"] {
  return { ...params, [place]: { ...params[place], [name]: value } };
}

function withoutValue(params: Given["params"], { in: place, name }: MadeParameter): Given["params"] {
  const { [name]: _, ...rest } = { ...params[place] };
  return { ...params, [place]: rest };
}

/** The mock takes the sample on the page, and its answer is valid. */
async function compareSample(
  generation: Generation,
  made: MadeOperation,
  index: number,
  judge: Judge,
): Promise<Comparison> {
  const { check, result } = createLog();
  const operation = generation.operations[index];
  if (operation === undefined) throw new Error("there is no operation");
  const kinds = [...made.parameters, ...(made.body ? [made.body] : [])].flatMap(
    ({ piece }: { piece: Piece }) => piece.kinds,
  );
  const mock = createEngine({ generations: [generation], stateless: true });
  const request = requestTo(server, exampleRequest(operation));
  const response = await mock.fetch(request);
  const text = await response.text();
  check(response.ok, "the mock takes the sample", [made.body?.mediaType ?? "", ...kinds], {
    text,
    request: exampleRequest(operation),
  });
  const { piece, mediaType } = made.answer;
  if (!response.ok || piece === undefined || !isJson(mediaType ?? "")) return result();
  const value: unknown = JSON.parse(text);
  check(judge(piece.schema, "response")(value), "the mock's answer is valid", piece.kinds, {
    schema: piece.schema,
    value,
  });
  return result();
}
