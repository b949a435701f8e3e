import type { RenewingCredential } from "./credentials.ts";

/**
 * Makes a credential of a function that gets tokens. Each token is used until the service refuses it with a 401. Then the
 * function is called again, once for all calls, and each refused call is sent once more. What it throws, calls reject with.
 *
 * @example
 * const apiKey = renewing(async () => (await fetch("https://vault.example.com/api-key")).text());
 */
export function renewing(
  getToken: (why: { reason: "first" | "refused"; response: Response | undefined }) => string | Promise<string>,
): RenewingCredential {
  const sent = new WeakMap<Request, Promise<string>>();
  let current: Promise<string> | undefined;
  const renew = async (refused: Response | undefined) =>
    getToken({ reason: refused ? "refused" : "first", response: refused });
  return {
    async token(request, refused) {
      if (!current || (refused && sent.get(request) === current)) {
        const renewed = renew(refused);
        current = renewed;
        // The next call tries again.
        renewed.catch(() => (current = current === renewed ? undefined : current));
      }
      sent.set(request, current);
      const token = await current;
      // Node keeps the connection of a body that nobody reads. The function may have read this one.
      await refused?.body?.cancel().catch(() => undefined);
      return token;
    },
  };
}
