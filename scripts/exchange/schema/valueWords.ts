/** Says which types are allowed: `must be a string or null`. */
export function requireTypes(types: readonly unknown[]): string {
  return `must be ${types.map(withArticle).join(" or ")}`;
}

/** Says which values are allowed: `must be one of "a", "b"`. */
export function requireValues(values: readonly unknown[]): string {
  const literals = values.map((literal) => JSON.stringify(literal));
  return literals.length === 1 ? `must be ${literals.join()}` : `must be one of ${literals.join(", ")}`;
}

function withArticle(type: unknown): string {
  const name = String(type);
  if (name === "null") return name;
  return /^[aio]/.test(name) ? `an ${name}` : `a ${name}`;
}
