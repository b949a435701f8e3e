import { connect } from "node:net";

export interface RawResponse {
  readonly status: number;
  /** By name in lower case; of a name that came twice, the last. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawOptions {
  /** For how long to wait for a whole response, in milliseconds. */
  readonly limit?: number;
  /** End the client's side of the connection after sending. */
  readonly end?: boolean;
}

/**
 * Sends bytes over a connection of their own and reads the first response, whatever HTTP makes of the bytes. Rejects
 * where no whole response comes in time. Text is sent as UTF-8.
 */
export function sendRaw(url: string, bytes: string | Buffer, options: RawOptions = {}): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const { limit = 5_000, end = false } = options;
  const isHead = Buffer.from(bytes).toString("latin1", 0, 5) === "HEAD ";
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const finish = (why?: string) => {
      clearTimeout(timer);
      socket.destroy();
      const response = readResponse(Buffer.concat(chunks), isHead);
      if (response !== undefined) resolve(response);
      else reject(new Error(`no whole response: ${why ?? ""}`));
    };
    const timer = setTimeout(() => {
      finish(`none within ${limit} ms`);
    }, limit);
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (readResponse(Buffer.concat(chunks), isHead) !== undefined) finish();
    });
    socket.on("error", (error) => {
      finish(error.message);
    });
    socket.on("close", () => {
      finish("the connection was closed");
    });
    socket.on("end", () => {
      finish("the connection was ended");
    });
    if (end) socket.end(bytes);
    else socket.write(bytes);
  });
}

function readResponse(received: Buffer, isHead: boolean): RawResponse | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [statusLine = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? Number.NaN);
  if (status === 100) return readResponse(received.subarray(end + 4), isHead);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const length = isHead || status === 204 || status === 304 ? 0 : Number(headers.get("content-length") ?? 0);
  const body = received.subarray(end + 4, end + 4 + length);
  return body.length < length ? undefined : { status, headers, body: body.toString() };
}
