/**
 * The name of the environment variable that holds the credential of a security scheme of a generation: both names in
 * capitals, with underscores between their words, such as `V1_API_KEY` for `apiKey` of `v1`.
 */
export function credentialVariable(generation: string, scheme: string): string {
  return `${generation}_${scheme}`
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3_$2$4")
    .replaceAll(/[^A-Za-z\d]+/g, "_")
    .toUpperCase();
}
