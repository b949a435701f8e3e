/** Values by key, in order. Node 20, which the mock supports, lacks `Map.groupBy`. */
export function groupBy<T, Key>(values: readonly T[], keyOf: (value: T) => Key): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>();
  for (const value of values) getOrCreate(groups, keyOf(value), () => []).push(value);
  return groups;
}

/** The value of a key in a map. If there is none, creates and stores it. */
export function getOrCreate<Key, Value>(
  known: Pick<Map<Key, Value>, "get"> & { readonly set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value,
): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

/** Some values, and everything reachable from them. */
export function reachable<T>(starts: Iterable<T>, next: (value: T) => Iterable<T>): ReadonlySet<T> {
  const reached = new Set(starts);
  // Values added during the iteration are visited too.
  for (const value of reached) for (const other of next(value)) reached.add(other);
  return reached;
}
