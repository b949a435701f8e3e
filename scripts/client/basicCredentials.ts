import type { Credentials } from "./credentials.ts";
import type { ClientOptions } from "./types.ts";

/**
 * The options of a client, with its Basic credentials as they are sent: a user name, a colon and a password are encoded
 * (RFC 7617, section 2). Base64 has no colon, so what has none is sent as it is.
 */
export function encodeBasic<Paths>(
  options: ClientOptions<Credentials, Paths>,
  schemes: readonly string[],
): ClientOptions<Credentials, Paths> {
  const { auth } = options;
  if (!auth || auth === "none") return options;
  const encoded = schemes.map((name): [string, Credentials[string]] => {
    const given = auth[name];
    if (typeof given === "object")
      return [name, { token: async (...refusal) => encode(await given.token(...refusal)) }];
    return [name, given && (async () => encode(typeof given === "function" ? await given() : given))];
  });
  return { ...options, auth: { ...auth, ...Object.fromEntries(encoded) } };
}

/** In JavaScript, a credential may be no string: that is reported where it is sent. */
function encode<Given>(given: Given): Given | string {
  if (typeof given !== "string" || !given.includes(":")) return given;
  return btoa(String.fromCodePoint(...new TextEncoder().encode(given.trim())));
}
