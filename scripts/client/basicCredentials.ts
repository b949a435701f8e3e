import type { Credential, Credentials } from "./credentials.ts";
import type { ClientOptions } from "./types.ts";

/**
 * The options of a client, with its Basic credentials as they are sent: a user name, a colon and a password are encoded
 * (RFC 7617, section 2). Base64 has no colon, so what has none is sent as it is.
 */
export function encodeBasic<Paths>(
  options: ClientOptions<Credentials, Paths>,
  schemes: readonly string[],
): ClientOptions<Credentials, Paths> {
  const given = Object.entries(options.auth ?? {});
  const auth = given.map(([name, credential]) => [
    name,
    credential && schemes.includes(name) ? encoded(credential) : credential,
  ]);
  return { ...options, auth: Object.fromEntries(auth) };
}

function encoded(credential: Credential): Credential {
  return async () => {
    const value = typeof credential === "function" ? await credential() : credential;
    // In JavaScript, it may be no string: that is reported where it is sent.
    if (typeof value !== "string" || !value.includes(":")) return value;
    return btoa(String.fromCodePoint(...new TextEncoder().encode(value.trim())));
  };
}
