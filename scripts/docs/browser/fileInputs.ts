import type { SampleFiles } from "../../samples/sampleFiles.ts";
import { isObject, membersOf, valueAt } from "../../values/json.ts";
import type { TryItContent } from "../model/tryItData.ts";
import { element, labelled } from "./elements.ts";
import type { ControlReading } from "./valueEditor.ts";

/** Controls for the files of a body. */
export function fileInputs({ files, lists, examples }: TryItContent) {
  return Object.keys(files).map((name) => {
    const place = name === "" ? "body:" : `body:/${name}`;
    const isList = lists.includes(name);
    const input = element("input", { type: "file", multiple: isList, "data-place": place });
    const isThere = name === "" || valueAt(examples[0]?.value, [name]) !== undefined;
    const hint = isThere ? "Without a file, an example is sent." : "Without a file, none is sent.";
    const read = () => {
      const chosen = [...(input.files ?? [])];
      return isList && chosen.length > 0 ? chosen : chosen[0];
    };
    return { name, element: labelled(name === "" ? "File" : name, input, hint), read };
  });
}

/** Combines the typed values with the example's files. */
export function withFiles(reading: ControlReading, example: unknown, files: SampleFiles): ControlReading {
  if (!isObject(reading.value)) return reading;
  const own = membersOf(example).filter(([name]) => name in files);
  return { ...reading, value: { ...reading.value, ...Object.fromEntries(own) } };
}
