import { toText } from "../../samples/parameterText.ts";
import type { SampleRequest } from "../../samples/writeRequest.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import type { Definitions } from "../model/schemaSubset.ts";
import type { TryItBody, TryItContent } from "../model/tryItData.ts";
import { choice, element, group, labelled } from "./elements.ts";
import { readJson, valueEditor, type ValueEditor } from "./valueEditor.ts";
import type { PlacedViolation } from "./violationMarks.ts";

type BodyValue = Pick<SampleRequest, "contentType" | "body" | "encoding">;

interface BodyEditor {
  readonly element: HTMLElement;
  readonly read: () => BodyValue | PlacedViolation;
}

/** The request body as text: as JSON if its media type is JSON or a form. */
export function bodyEditor(
  { required, content }: TryItBody,
  initial: SampleRequest["contentType"],
  definitions: Definitions,
  onChange: () => void,
): BodyEditor {
  const editors = content.map((one) => contentEditor(one, definitions, onChange));
  const holder = element("div");
  const change = () => {
    const shown = sendChoice.selectedIndex === 0 ? editors[mediaChoice.selectedIndex] : undefined;
    holder.replaceChildren(...(shown === undefined ? [] : [shown.element]));
    onChange();
  };
  const mediaTypes = content.map(({ mediaType }) => mediaType);
  const chosen = Math.max(
    mediaTypes.findIndex((mediaType) => mediaType === initial),
    0,
  );
  const mediaChoice = choice(mediaTypes, chosen, { change });
  const isSent = required || initial !== undefined;
  const sendChoice = choice(["sent", "not sent"], isSent ? 0 : 1, { change, "data-place": "body:" });
  if (isSent) holder.append(editors[chosen]?.element ?? "");
  return {
    element: group(
      required ? "Request body (required)" : "Request body",
      labelled("The body is", sendChoice),
      content.length > 1 ? labelled("Media type", mediaChoice) : undefined,
      holder,
    ),
    read: () => {
      const [editor, sent] = [editors[mediaChoice.selectedIndex], content[mediaChoice.selectedIndex]];
      if (sendChoice.selectedIndex === 1 || editor === undefined || sent === undefined)
        return { contentType: undefined, body: undefined, encoding: {} };
      const reading = editor.read();
      if ("violation" in reading) return reading.violation;
      return { contentType: sent.mediaType, body: reading.value, encoding: sent.encoding };
    },
  };
}

type ContentEditor = Pick<ValueEditor, "element" | "read">;

/** The body in one media type. Examples take the place of what was typed, and give it back. */
function contentEditor(
  { mediaType, schema, examples }: TryItContent,
  definitions: Definitions,
  onChange: () => void,
): ContentEditor {
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/)/i.test(mediaType);
  const isValue = isForm || isJson(mediaType);
  const texts = examples.map(({ value }) => (isValue ? JSON.stringify(value, null, 2) : toText(value)));
  const editor = valueEditor({
    label: isForm ? "Fields of the form as JSON" : isValue ? "Request body as JSON" : "Request body as text",
    ...{ place: "body:", subject: "The body", schema, definitions, text: texts[0] ?? "" },
    readText: (text) => (isValue ? readJson(text, "body:") : { value: text }),
    onInput: () => {
      texts[examples.length] = editor.area.value;
      ownText?.removeAttribute("disabled");
      exampleChoice.selectedIndex = examples.length;
      onChange();
    },
  });
  const exampleChoice = choice([...examples.map(({ summary }) => summary), "Your text"], 0, {
    change: () => {
      editor.write(texts[exampleChoice.selectedIndex] ?? "");
      onChange();
    },
  });
  const ownText = exampleChoice.options[examples.length];
  ownText?.setAttribute("disabled", "");
  const row = examples.length > 1 ? labelled("Example", exampleChoice) : undefined;
  return { ...editor, element: element("div", {}, row, editor.element) };
}
