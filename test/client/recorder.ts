import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";

/** A request as it arrived. */
export interface Arrival {
  readonly method: string;
  /** The request-target: path and query as they were sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Recorder extends AsyncDisposable {
  readonly url: string;
  readonly arrivals: Arrival[];
}

/** Starts a server on a free port that keeps what arrives and answers with `answer`, by default with `{}`. */
export async function startRecorder(
  answer: (arrival: Arrival, response: ServerResponse) => void = (_, response) => {
    response.setHeader("content-type", "application/json").end("{}");
  },
): Promise<Recorder> {
  const arrivals: Arrival[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
    const { method = "", url: target = "", headers } = request;
    const arrival = { method, target, headers, body: Buffer.concat(chunks).toString() };
    arrivals.push(arrival);
    answer(arrival, response);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    arrivals,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
