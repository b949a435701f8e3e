/// <reference lib="esnext.disposable" preserve="true" />

/** The options of the published package's mock. */
export interface MockOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** The one generation to serve; all by default. */
  readonly generation?: string | undefined;
  /** Generates responses from schemas, at random, instead of from examples. */
  readonly dynamic?: boolean | undefined;
  /** Answers with examples only: requests have no effect. */
  readonly stateless?: boolean | undefined;
  /** Where to keep what requests write, at most a second behind. It is read when the mock starts. */
  readonly stateFile?: string | undefined;
  /** How much requests may write, in bytes of JSON. 64 MiB by default. */
  readonly stateLimit?: number | undefined;
  /** Makes random responses the same each time. */
  readonly seed?: string | undefined;
  /** Is called after each response. Credentials are masked. */
  readonly onRequest?: ((entry: RequestEntry) => void) | undefined;
}

export interface RequestEntry {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Why the request was refused. */
  readonly reason?: string;
  /** Why the response is not what one might expect. */
  readonly note?: string;
  /** The stack trace of an exception inside the mock. */
  readonly exception?: string;
}

/** A mock without a port. */
export interface InProcessMock {
  /**
   * Answers a request without sending it anywhere: for `createClient({ fetch: mock.fetch })`, and where there are no
   * sockets. Of the URL, only path and query count.
   */
  readonly fetch: typeof globalThis.fetch;
}

/** A mock that listens on a port. */
export interface Mock extends InProcessMock, AsyncDisposable {
  /** Without a slash at its end: the `baseUrl` of a client. */
  readonly url: string;
  /** Answers the requests in progress, and stops. */
  readonly close: () => Promise<void>;
}
