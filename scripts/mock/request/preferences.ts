const names = ["code", "example", "dynamic", "seed", "delay"] as const;

/** The wishes of a request, by `Prefer` (RFC 7240) or by the query parameters `__code`, `__example`, ..., unchecked. */
export type Preferences = { readonly [Name in (typeof names)[number]]?: string };

/** Reads the preferences that the mock knows. As RFC 7240 asks, others are ignored and the first of two wins. */
export function readPreferences(
  prefer: string | string[] | undefined,
  query: Readonly<Record<string, string | string[]>>,
): Preferences {
  if (prefer === undefined) {
    const found = names.flatMap((name) => {
      const value = query[`__${name}`];
      return typeof value === "string" ? [[name, value] as const] : [];
    });
    return Object.fromEntries(found);
  }
  const preferences: { -readonly [Name in keyof Preferences]: Preferences[Name] } = {};
  const part = /([,;])|([^\s=,;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g;
  let isForeign = false;
  let last = ",";
  for (const [, separator, token = "", quoted, plain] of String(prefer).matchAll(part)) {
    const name = names.find((known) => known === token.toLowerCase());
    // A semicolon begins a parameter of the preference before it; many write two preferences so.
    if (separator === undefined && last === ",") isForeign = name === undefined;
    if (name !== undefined && !isForeign) preferences[name] ??= quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "true";
    last = separator ?? "";
  }
  return preferences;
}
