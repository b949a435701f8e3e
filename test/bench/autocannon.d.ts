/** The used part of autocannon 9, which has no types. */
declare module "autocannon" {
  export default function autocannon(options: object): Promise<{
    readonly requests: { readonly total: number };
    /** In seconds. */
    readonly duration: number;
    readonly errors: number;
    readonly statusCodeStats: Readonly<Record<string, object>>;
  }>;
}
