/** The part of autocannon 9, which brings no types, that is used here. */
declare module "autocannon" {
  interface Options {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | undefined;
    readonly connections: number;
    /** In seconds; `amount` takes its place. */
    readonly duration?: number;
    /** The number of requests. */
    readonly amount?: number;
    /** Sent in turn by each connection, in the place of the one request. */
    readonly requests?: readonly { readonly path: string }[];
  }
  interface Result {
    readonly requests: { readonly total: number };
    /** In seconds. */
    readonly duration: number;
    readonly errors: number;
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
