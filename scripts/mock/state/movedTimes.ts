import type { Properties } from "../../contract/resources.ts";
import { readDateTime, writeDateTime } from "../../values/dateTimes.ts";
import { equalJson } from "../../values/json.ts";

/** A resource before it changes. */
interface EarlierResource {
  /** Its known properties. */
  readonly properties: Properties;
  /** The properties in the contract's example of the response. */
  readonly example: Properties;
}

/**
 * Adds the times that follow from changed times, by `moves` of `x-resource`: an end keeps its distance from
 * its start. Leaves out changes that responses can't show, and ends before their start.
 */
export function moveTimes(
  changes: Properties,
  earlier: EarlierResource,
  moves: Readonly<Record<string, string>>,
  canBeShown: (name: string, value: unknown) => boolean,
): Properties {
  const moved: Record<string, unknown> = { ...changes };
  const drop = (name: string) => {
    Reflect.deleteProperty(moved, name);
  };
  for (const [end, start] of Object.entries(moves)) {
    for (const name of [start, end]) if (Object.hasOwn(moved, name) && !canBeShown(name, moved[name])) drop(name);
    const from = timeOf(moved[start] ?? earlier.properties[start]);
    if (from === undefined) continue;
    if (isBefore(moved[end], from)) drop(end);
    const isMoving = Object.hasOwn(moved, start) || isBefore(earlier.properties[end], from);
    if (!isMoving || Object.hasOwn(moved, end)) continue;
    const distance = distanceIn(earlier, start, end);
    if (distance !== undefined) moved[end] = writeDateTime(from + distance) ?? moved[start];
  }
  return moved;
}

/** The milliseconds between a start and its end. `undefined` if the resource lacks one of them. */
function distanceIn({ properties, example }: EarlierResource, start: string, end: string): number | undefined {
  const [own, usual = 0] = [properties, example].map((one) => {
    const [from, to] = [timeOf(one[start]), timeOf(one[end])];
    return from === undefined || to === undefined ? undefined : to - from;
  });
  if (own === undefined) return undefined;
  // An earlier state may have them in the wrong order.
  return own >= 0 ? own : Math.max(0, usual);
}

/** Returns whether two values are the same, or the same time. */
export function isSameTime(a: unknown, b: unknown): boolean {
  const time = timeOf(a);
  return equalJson(a, b) || (time !== undefined && time === timeOf(b));
}

function isBefore(value: unknown, time: number): boolean {
  const own = timeOf(value);
  return own !== undefined && own < time;
}

function timeOf(value: unknown): number | undefined {
  return typeof value === "string" ? readDateTime(value) : undefined;
}
