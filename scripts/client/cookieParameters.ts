import { NotSentError, throwUnsent } from "./errors.ts";
import type { Middleware } from "./openapiFetch.ts";
import { serializeCookies } from "./serialize.ts";

/**
 * Middleware that adds the cookie parameters of a call to its `Cookie` header. Bundles include it only if the
 * contract has cookie parameters. It throws a {@link NotSentError} for a value that has no text, and on platforms
 * that drop the header, as browsers do (Fetch Standard, section 2.2.2).
 */
export const cookieParameters: Middleware = {
  onRequest({ request: { headers, method }, schemaPath: path, params }) {
    let pairs = "";
    try {
      pairs = serializeCookies(params.cookie ?? {});
    } catch (error) {
      throwUnsent(error, { method, path }, []);
    }
    if (!pairs) return;
    const sent = [headers.get("cookie") ?? [], pairs].flat().join("; ");
    headers.set("cookie", sent);
    if (headers.get("cookie") === sent) return;
    const why = '"params.cookie" can\'t be sent by a browser, which sends its own cookies: leave it out';
    throw new NotSentError({ method, path }, why);
  },
};
