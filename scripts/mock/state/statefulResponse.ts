import { successResponses } from "../../contract/generation.ts";
import { successContent } from "../../contract/resources.ts";
import { listInWords, splitOnce } from "../../values/text.ts";
import { equalJson, isObject } from "../../values/json.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import type { DescribedResponse } from "../content/describedResponse.ts";
import { isRefusal, type Refusal } from "../../exchange/refusal.ts";
import { withLocation } from "./createdLocation.ts";
import { applyEffect, isAbsent, type RequestedEffect } from "./resourceEffects.ts";

/** The status of a PUT that either creates or replaces. `undefined` for any other request. */
export function putStatus(effect: RequestedEffect): string | undefined {
  const statuses = successResponses(effect.operation).map(({ status }) => status);
  const isEither = effect.request.method === "PUT" && effect.resource.effect === "update" && statuses.includes("201");
  if (!isEither) return undefined;
  return isAbsent(effect) ? "201" : statuses.find((status) => status !== "201");
}

/** Applies a valid request to the state, and puts the result into the response of a stateless mock. */
export function respondFromState(effect: RequestedEffect, given: DescribedResponse): DescribedResponse | Refusal {
  const { resource } = effect;
  const { status, mediaType, value, schema } = given;
  if (status >= 300) return given;
  const isSame = equalJson(schema, successContent(effect.operation)?.schema);
  const isShown = mediaType !== undefined && isJson(mediaType) && isSame;
  const outcome = applyEffect({ ...effect, example: isShown ? value : undefined });
  if (isRefusal(outcome)) return outcome;
  const example = status === 201 ? { ...given, headers: withLocation(effect, given.headers, outcome.written) } : given;
  if (!isShown) {
    const note = "the response has the example's values: only the first success's JSON shows written data";
    return mediaType === undefined || resource.view === undefined ? example : { ...example, note };
  }
  const shown = { ...example, value: outcome.value };
  const invalid = outcome.dropped.map((name) => describeSource(effect, name));
  const reasons = [
    [invalid, "that would make the response invalid"],
    [outcome.readOnly, "requests can't change read-only properties"],
    [outcome.times, "a time is invalid, or an end would be before its start"],
  ] as const;
  const whose = isObject(effect.request.body) ? "the request's" : "the stored";
  const unshown = reasons.filter(([names]) => names.length > 0);
  const notes = unshown.map(
    ([names, why]) => `the response doesn't show ${whose} ${listInWords(names)}, because ${why}`,
  );
  return notes.length === 0 ? shown : { ...shown, note: notes.join("; ") };
}

/** The field of the request that sets a property of the response: `rescheduledBy (as rescheduledByEmail)`. */
function describeSource({ operation, resource }: RequestedEffect, name: string): string {
  const source = operation.resource.set[resource.view?.properties.get(name) ?? name];
  const [, field] = typeof source === "string" ? splitOnce(source, "$request.body#/") : [];
  return field === undefined ? name : `${field} (as ${name})`;
}
