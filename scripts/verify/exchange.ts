/** A request, and the response to it: as it was sent, recorded, or passed on. */
export interface Exchange {
  /** The method, in capitals. */
  readonly method: string;
  /** The absolute URL, with its query. */
  readonly url: string;
  readonly request: ExchangeMessage;
  /** `undefined` if none came. */
  readonly response: ExchangeResponse | undefined;
  /** Why no response came, or no whole one. */
  readonly failure?: string;
}

export interface ExchangeMessage {
  /** The header fields, in their order; a name may be there more than once. */
  readonly headers: readonly HeaderField[];
  /** `undefined` if there is none, or none is known. Without its content coding. */
  readonly body: Uint8Array | undefined;
}

export interface ExchangeResponse extends ExchangeMessage {
  readonly status: number;
}

/** A name, as it was written, and a value. */
export type HeaderField = readonly [name: string, value: string];
