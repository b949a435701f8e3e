import fc from "fast-check";
import type { Operation, Parameter } from "../../scripts/contract/generation.ts";

/** A request as it goes over the wire, and how its connection goes on. */
export interface HostileRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly framing: Framing;
}

export type Framing = (typeof framings)[number];

const framings = [
  "length",
  "chunked",
  "truncated",
  "stalled",
  "endless",
  "broken chunk",
  "no host",
  "HTTP/1.0",
  "HTTP/9.9",
] as const;

const oddText = fc.oneof(
  fc.constantFrom(
    ...["%", "%%", "%zz", "%E0%A4%A", "%ff", "%00", "%2F", "%2e%2e", "..", ".", "", " ", "*", "//", "?", "#", "&", "="],
    ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "[]", "{id}", "{", "}", "|", "\\", "'"],
    ...["1", "-1", "1e999", "NaN", "null", "true", "undefined", "0x10", "\u00e9", "\u202e", "\ud83d\ude00", "\t", '"'],
  ),
  fc.string({ maxLength: 20 }),
  fc.integer().map(String),
  fc.constant("a".repeat(5_000)),
);

/** Bytes that no header or request line may have. */
const forbiddenText = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
  fc.constantFrom("\u0000", "\n", "\r\n\r\n"),
);

const oddHeaders = fc.constantFrom(
  ...[
    "Transfer-Encoding: gzip, chunked",
    "Content-Length: -1",
    "Content-Length: 1e3",
    "no colon",
    ": empty",
    "Host: y",
  ],
  ...["Connection: close", "Connection: upgrade", "Upgrade: websocket", "Expect: 100-continue", "Expect: the worst"],
  ...["__proto__: x", "constructor: x", "Origin: http://x", "Content-Encoding: gzip", `X-Large: ${"v".repeat(9_000)}`],
);

const knownNames = fc.constantFrom(
  "Content-Type",
  "Accept",
  "Prefer",
  "Authorization",
  "Cookie",
  "X-Trace",
  "Access-Control-Request-Method",
);

const knownValues = fc.constantFrom(
  ...["application/json", "application/json; charset=utf-16", "application/json; charset=", "application/json;", "*/*"],
  ...[
    "a/b;q",
    "a/b;q=x",
    "text/*;q=0.1",
    ";",
    ",,,",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "text/plain",
  ],
  ...[
    "application/x-www-form-urlencoded",
    "code=200",
    "code=404",
    "code=999",
    "code",
    "example=nope",
    "example",
    'code="200',
  ],
  ...["dynamic=true", "dynamic=true, seed=1", "Basic dTpw", "Digest x", "Bearer", "100-continue"],
);

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const bodies = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  { weight: 4, arbitrary: fc.json() },
  { weight: 2, arbitrary: fc.json().map((text) => text.slice(0, -1)) },
  { weight: 2, arbitrary: fc.oneof(oddText, forbiddenText) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[nested(150), nested(5_000), nested(100_000), '{"a":'.repeat(20_000), "[", "null", "0", "\ufeff{}", "{'a':1}"],
      ...['{"__proto__":{"x":1}}', '{"constructor":1}', `{"tags":[${"1,".repeat(5_000)}1]}`, "1".repeat(100_000)],
      ...[`{"weight":1,"tags":["${"x".repeat(9_000)}"]}`, "x".repeat(10_000)],
    ),
  },
);

/** Mostly right, so that what is odd reaches every stage; at times wrong in everything. */
export function hostileRequests(
  operations: readonly Operation[],
  credentials: readonly string[],
): fc.Arbitrary<HostileRequest> {
  return fc.constantFrom(...operations).chain(({ method, path, parameters }) =>
    fc.record({
      method: mostly(
        fc.constant(method.toUpperCase()),
        8,
        fc.constantFrom("GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "CONNECT", "PATCH", "get", "FOO", ""),
      ),
      target: mostly(
        fc.tuple(oddPath(path), oddQuery).map((parts) => parts.join("")),
        9,
        fc.oneof(
          fc.constantFrom(
            "*",
            "//",
            "/",
            "",
            "?",
            "http://",
            "http:///",
            "x:80",
            "/".repeat(4_000),
            "/%",
            "a",
            `http://u:p@localhost${path}`,
          ),
          forbiddenText,
        ),
      ),
      headers: fc
        .tuple(
          mostly(fc.constant([...credentials, ...parameters.flatMap(fixedHeader)]), 5, fc.constant([])),
          fc.array(
            mostly(
              fc.tuple(knownNames, fc.oneof(knownValues, oddText)).map((pair) => pair.join(": ")),
              3,
              oddHeaders,
            ),
            { maxLength: 2 },
          ),
        )
        .map((lists) => lists.flat()),
      body: bodies,
      framing: mostly(fc.constant("length" as const), 6, fc.constantFrom(...framings)),
    }),
  );
}

function oddPath(path: string): fc.Arbitrary<string> {
  const [first = "", ...segments] = path.split("/");
  return fc
    .tuple(
      ...segments.map((segment) =>
        segment.includes("{") ? mostly(fc.constant("1"), 2, oddText) : mostly(fc.constant(segment), 20, oddText),
      ),
    )
    .map((parts) => [first, ...parts].join("/"));
}

const oddQuery = mostly(
  fc.constantFrom("", "?apiKey=k&userId=1"),
  3,
  fc
    .array(
      fc.tuple(
        fc.oneof(oddText, fc.constantFrom("apiKey", "take", "skip", "__code", "__example", "__dynamic")),
        oddText,
      ),
      { maxLength: 4 },
    )
    .map((pairs) => `?apiKey=k&${pairs.map((pair) => pair.join("=")).join("&")}`),
);

function mostly<A, B>(usual: fc.Arbitrary<A>, weight: number, other: fc.Arbitrary<B>): fc.Arbitrary<A | B> {
  return fc.oneof<fc.WeightedArbitrary<A | B>[]>({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
}

/** A header that has only one value. */
function fixedHeader({ in: place, name, schema }: Parameter): string[] {
  return place === "header" && typeof schema.const === "string" ? [`${name}: ${schema.const}`] : [];
}

/** The bytes of a request, and whether the client ends its side after them. */
export function toBytes({ method, target, headers, body, framing }: HostileRequest): {
  readonly bytes: Buffer;
  readonly end: boolean;
} {
  const isChunked = framing === "chunked" || framing === "endless" || framing === "broken chunk";
  const missing = framing === "truncated" || framing === "stalled" ? 10 : 0;
  const size = Buffer.byteLength(body);
  const head = [
    `${method} ${target} ${framing.startsWith("HTTP/") ? framing : "HTTP/1.1"}`,
    ...(framing === "no host" ? [] : ["Host: localhost"]),
    ...(headers.some((line) => /^content-type:/i.test(line)) ? [] : ["Content-Type: application/json"]),
    ...headers,
    ...(isChunked ? ["Transfer-Encoding: chunked"] : size + missing > 0 ? [`Content-Length: ${size + missing}`] : []),
  ];
  const chunk = size === 0 ? "" : `${size.toString(16)}\r\n${body}\r\n`;
  const payload = !isChunked
    ? body
    : framing === "broken chunk"
      ? `zz\r\n${body}`
      : framing === "endless"
        ? chunk
        : `${chunk}0\r\n\r\n`;
  return { bytes: Buffer.from(`${head.join("\r\n")}\r\n\r\n${payload}`), end: framing === "truncated" };
}
