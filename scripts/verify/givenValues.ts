import type { Generation, Operation } from "../contract/generation.ts";
import { isObject, membersOf, valueAt } from "../values/json.ts";

/** The key of an operation's values in the file. */
export function nameInValues({ operationId, name }: Operation): string {
  return operationId ?? name;
}

/** The places in the file for the value of a parameter or the body, in order of precedence. */
function placesFor({ name: generation }: Generation, operation: Operation, name: string) {
  const id = nameInValues(operation);
  return [[generation, id, name], [generation, name], [id, name], [name]];
}

/** The value in the file for a parameter or the `body`. `undefined` if there is none. */
export function givenValue(values: unknown, generation: Generation, operation: Operation, name: string): unknown {
  return placesFor(generation, operation, name)
    .map((keys) => valueAt(values, keys))
    .find((value) => value !== undefined);
}

/** The values for one operation alone, by parameter names and `body`. */
export function valuesForOperation(values: unknown, { name: generation }: Generation, operation: Operation) {
  const id = nameInValues(operation);
  const [everywhere, here] = [valueAt(values, [id]), valueAt(values, [generation, id])];
  return { ...(isObject(everywhere) ? everywhere : {}), ...(isObject(here) ? here : {}) };
}

/** The places in the file that no call uses, each as keys joined by dots. */
export function unusedValues(values: unknown, generations: readonly Generation[]): readonly string[] {
  const places = generations.flatMap((generation) =>
    generation.operations.flatMap((operation) =>
      ["body", ...operation.parameters.map(({ name }) => name)].flatMap((name) =>
        placesFor(generation, operation, name),
      ),
    ),
  );
  const unusedIn = (value: unknown, keys: readonly string[]): readonly string[] => {
    const ahead = places.filter((place) => keys.every((key, index) => place[index] === key));
    if (ahead.length === 0) return [keys.join(".")];
    if (ahead.some((place) => place.length === keys.length)) return [];
    return membersOf(value).flatMap(([key, member]) => unusedIn(member, [...keys, key]));
  };
  return unusedIn(values, []);
}
