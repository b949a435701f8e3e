import { jsonPointer, pointerKeys, valueAt } from "../spec/jsonPointer.ts";
import type { Direction } from "../spec/schemas.ts";
import { referencesIn } from "../spec/walk.ts";
import type { Generation, Operation } from "../contract/generation.ts";

/** Finds the operations that a place of a bundle belongs to: in it, or by reference in one direction or in any. */
export type FindOperations = (pointer: string, direction?: Direction) => readonly string[];

/** Makes a function that finds the operations of a generation that use a place of its bundle. */
export function createOperationFinder({ document, operations, webhooks }: Generation): FindOperations {
  const all = [...operations, ...webhooks].map((operation) => {
    const { pathItemPointer, method } = operation;
    const own = `${pathItemPointer}/${method}`;
    const sent = [`${pathItemPointer}/parameters`, `${own}/parameters`, `${own}/requestBody`];
    const received = [`${own}/responses`];
    // The service sends the requests of webhooks, and consumers respond.
    const [request, response] = webhooks.includes(operation) ? [received, sent] : [sent, received];
    const places = { request, response, any: [own, ...sent] };
    return {
      operation,
      own,
      places,
      request: reach(document, request),
      response: reach(document, response),
      any: reach(document, places.any),
    };
  });
  return (pointer, direction) => {
    const keys = pointerKeys(pointer);
    const definition = jsonPointer(keys.slice(0, 3));
    const found = all.filter((one) => {
      if (isInside(pointer, one.own)) return direction === undefined || !isOpposite(pointer, one.places, direction);
      if (isAround(pointer, one.operation)) return true;
      if (keys[1] === "securitySchemes") return isSecuredBy(one.operation, keys[2] ?? "");
      return one[direction ?? "any"].has(definition);
    });
    return found.map(({ operation }) => operation.name);
  };
}

/** The components that some places lead to by reference, directly or not. */
function reach(document: object, places: readonly string[]): ReadonlySet<string> {
  const reached = new Set(places);
  for (const place of reached) {
    for (const reference of referencesIn(valueAt(document, pointerKeys(place)))) {
      reached.add(jsonPointer(pointerKeys(reference).slice(0, 3)));
    }
  }
  return reached;
}

/** Tells whether a place is the path item of an operation, or a part of it that all of its operations have. */
function isAround(pointer: string, { pathItemPointer }: Operation): boolean {
  if (pointer === pathItemPointer || pointer === "/paths") return true;
  const isShared = /^\/(?:parameters|servers|summary|description)\b/.test(pointer.slice(pathItemPointer.length));
  return isShared && isInside(pointer, pathItemPointer);
}

/** Tells whether a place of an operation is about the other direction. */
function isOpposite(
  pointer: string,
  places: Readonly<Record<Direction, readonly string[]>>,
  direction: Direction,
): boolean {
  return places[direction === "request" ? "response" : "request"].some((place) => isInside(pointer, place));
}

function isInside(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

function isSecuredBy({ security }: Operation, scheme: string): boolean {
  return security.some((alternative) => alternative.some(({ name }) => name === scheme));
}
