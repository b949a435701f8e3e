import type { Generation } from "./generation.ts";
import { base64, type SecurityScheme } from "./security.ts";

/** The environment variable for the credential of a security scheme: `V1_API_KEY` for `apiKey` of `v1`. */
export function credentialVariable(generation: string, scheme: string): string {
  return `${generation}_${scheme}`
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3_$2$4")
    .replaceAll(/[^A-Za-z\d]+/g, "_")
    .toUpperCase();
}

export function credentialVariables(generations: readonly Generation[]): readonly string[] {
  return generations.flatMap(({ name, securitySchemes }) =>
    Array.from(securitySchemes.keys(), (scheme) => credentialVariable(name, scheme)),
  );
}

/** The security schemes with a credential as their example: the environment's, or for a server on this machine the contract's. */
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
