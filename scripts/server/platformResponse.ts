import { withoutContent } from "../spec/statusKeys.ts";
import { isObject } from "../values/json.ts";

/** A `Response` of another library or realm, as far as it is read. */
interface ForeignResponse {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]> & {
    readonly getSetCookie?: () => readonly string[];
    /** In node-fetch, which joins cookies otherwise. */
    readonly raw?: () => Readonly<Record<string, readonly string[]>>;
  };
  readonly body: object | null;
  readonly arrayBuffer: () => Promise<ArrayBuffer>;
}

/**
 * Recognizes a `Response` by its shape. Those of other libraries and realms are not instances of the global class, nor are
 * those of `fetch` where an adapter has replaced it.
 */
export function isResponse(value: unknown): value is ForeignResponse {
  return (
    isObject(value) &&
    typeof value["status"] === "number" &&
    typeof value["arrayBuffer"] === "function" &&
    isObject(value["headers"]) &&
    Symbol.iterator in value["headers"]
  );
}

/** A response as one of this platform. */
export async function toPlatformResponse(response: ForeignResponse): Promise<Response> {
  if (response instanceof Response) return response;
  const { status, headers: fields, body } = response;
  const headers = new Headers();
  for (const [name, value] of fields) headers.set(name, value);
  const cookies = fields.getSetCookie?.() ?? fields.raw?.()["set-cookie"] ?? [];
  headers.delete("set-cookie");
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  const hasBody = body !== null && !withoutContent.has(status);
  return new Response(hasBody ? (streamOf(body) ?? (await response.arrayBuffer())) : null, { status, headers });
}

/** A body as a stream of this platform. `undefined` if it has no chunks to wait for. */
function streamOf(body: object): ReadableStream<Uint8Array> | undefined {
  if (!isIterable(body)) return undefined;
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => {
      await chunks.return?.();
    },
  });
}

function isIterable(body: object): body is AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in body;
}
