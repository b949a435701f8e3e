import type { Generation } from "../contract/generation.ts";
import { base64, type SecurityScheme } from "../contract/security.ts";

/** The environment variable with the credential for a scheme: `VERIFY_V2_API_KEY`. */
export function credentialVariable(generation: string, scheme: string): string {
  const words = `verify ${generation} ${scheme}`.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2");
  return words.replaceAll(/[^A-Za-z\d]+/g, "_").toUpperCase();
}

/**
 * The security schemes for which there is a credential, with that as their example. Where the environment has none for a
 * generation, those of the contract serve if the server is on this machine.
 */
export function readCredentials(
  { name, securitySchemes }: Generation,
  server: string,
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, SecurityScheme> {
  const schemes = [...securitySchemes.values()].filter(({ in: place }) => place !== "connection");
  const given = schemes.flatMap((scheme) => {
    const value = environment[credentialVariable(name, scheme.name)] ?? "";
    return value === "" ? [] : [{ ...scheme, example: scheme.prefix === "Basic " ? base64(value) : value }];
  });
  const isLocal = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(server).hostname);
  return new Map((given.length === 0 && isLocal ? schemes : given).map((scheme) => [scheme.name, scheme]));
}
