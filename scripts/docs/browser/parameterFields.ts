import { toText } from "../../samples/parameterText.ts";
import type { Definitions } from "../model/schemaSubset.ts";
import { placeTitles } from "../model/operationModel.ts";
import type { TryItData, TryItParameter } from "../model/tryItData.ts";
import { choice, element, group, labelled, newId, typed } from "./elements.ts";
import { readJson, valueEditor, type ControlReading } from "./valueEditor.ts";

/** A control for each parameter. A parameter is left out if its control is empty. */
export function parameterFields({ parameters, request, requestDefinitions }: TryItData) {
  const fields = parameters.map((parameter) => {
    const sent = request.parameters.find(({ name, in: place }) => name === parameter.name && place === parameter.in);
    return { parameter, ...parameterControl(parameter, sent?.value, requestDefinitions) };
  });
  const sorted = Object.keys(placeTitles).flatMap((place) => fields.filter(({ parameter }) => parameter.in === place));
  const shown = group("Parameters", ...sorted.map((field) => field.element));
  const read = () => fields.map(({ parameter, read }) => ({ ...parameter, ...checkSegment(parameter, read()) }));
  return { element: fields.length > 0 ? shown : undefined, read };
}

/** A path needs all of its values, and `.` and `..` can't be segments of a URL (URL Standard, section 4.4). */
function checkSegment({ name, in: place }: TryItParameter, reading: ControlReading): ControlReading {
  const { value, violation } = reading;
  const isOther = value === "." || value === "..";
  if (place !== "path" || violation !== undefined || (value !== undefined && !isOther)) return reading;
  const message = isOther
    ? `${name} can't be ${value}, which leads to another path.`
    : `Enter ${name}, which is part of the path.`;
  return { value, violation: { place: `path:${name}`, message } };
}

/** Text is sent as typed, because readers may want to try values that are rejected. */
function parameterControl(parameter: TryItParameter, value: unknown, definitions: Definitions) {
  const { name, in: place, required, typeWords, allowedValues, knownValues, schema } = parameter;
  const types = parameter.types.length === 0 && Array.isArray(value) ? ["array"] : parameter.types;
  const key = `${place}:${name}`;
  const attributes = { "data-place": key, "aria-required": required && "true" };
  if (allowedValues !== undefined) {
    const values = [undefined, ...allowedValues, value];
    const texts = [...new Set(values.map(toText))];
    const select = choice(["not sent", ...texts.slice(1)], texts.indexOf(toText(value)), attributes);
    const read = () => ({ value: values.find((one) => toText(one) === texts[select.selectedIndex]) });
    return { element: labelled(name, select, place), read };
  }
  const text = value === undefined ? "" : Array.isArray(value) ? JSON.stringify(value, null, 2) : toText(value);
  const readText = (current: string): ControlReading => {
    if (current === text) return { value };
    return current === "" ? { value: undefined } : readTyped(current, key, types);
  };
  const hint = `${place} · ${typeWords}`;
  const isJsonText = types.includes("array");
  if (isJsonText || text.length > 80 || text.includes("\n")) {
    const options = {
      label: name,
      hint: isJsonText ? `${hint}, as JSON` : hint,
      isRequired: required,
      place: key,
      isJson: isJsonText,
    };
    return valueEditor({ ...options, schema, definitions, text, readText });
  }
  const list = element("datalist", { id: newId() }, ...knownValues.map((known) => element("option", { value: known })));
  const isNumber = types.length > 0 && types.every((type) => numberTypes.includes(type));
  const control = element("input", {
    ...{ ...typed, ...attributes, type: "text", inputmode: isNumber && "decimal" },
    list: knownValues.length > 0 && list.id,
  });
  control.value = text;
  return { element: labelled(name, control, hint, [control, list]), read: () => readText(control.value) };
}

const numberTypes: readonly string[] = ["integer", "number"];

/** Reads JSON for arrays, or a number. Otherwise returns the text: `007` and `1e3` are text. */
function readTyped(text: string, place: string, types: readonly string[]): ControlReading {
  const reading = readJson(text, place);
  const { value } = reading;
  const isOnlyArray = types.length > 0 && types.every((type) => type === "array");
  if (isOnlyArray || (Array.isArray(value) && types.includes("array"))) return reading;
  const isNumber = typeof value === "number" && String(value) === text;
  return isNumber && types.some((type) => numberTypes.includes(type)) ? reading : { value: text };
}
