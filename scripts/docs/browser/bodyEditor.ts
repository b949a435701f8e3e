import { toText } from "../../samples/parameterText.ts";
import type { SampleRequest } from "../../samples/writeRequest.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import type { TryItContent, TryItData } from "../model/tryItData.ts";
import { choice, element, group, labelled } from "./elements.ts";
import { readJson, valueEditor, type Reading } from "./valueEditor.ts";

interface BodyEditor {
  readonly element?: HTMLElement;
  readonly read: () => Reading & Pick<SampleRequest, "contentType" | "encoding">;
}

/** The request body as text: as JSON if its media type is JSON or a form. */
export function bodyEditor({ body, request, requestDefinitions }: TryItData): BodyEditor {
  const nothing = { value: undefined, contentType: undefined, encoding: {} };
  if (body === undefined) return { read: () => nothing };
  const { required, content } = body;
  const editors = content.map((one) => contentEditor(one, requestDefinitions));
  const holder = element("div");
  const chosen = () => (sendChoice.selectedIndex === 0 ? editors[mediaChoice.selectedIndex] : undefined);
  const input = () => {
    holder.replaceChildren(chosen()?.element ?? "");
  };
  const mediaTypes = content.map(({ mediaType }) => mediaType);
  const mediaChoice = choice(mediaTypes, mediaTypes.indexOf(request.contentType ?? ""), { input });
  const isSent = required || request.contentType !== undefined;
  const sendChoice = choice(["sent", "not sent"], isSent ? 0 : 1, { input, "data-place": "body:" });
  input();
  return {
    element: group(
      required ? "Request body (required)" : "Request body",
      labelled("The body is", sendChoice),
      content.length > 1 ? labelled("Media type", mediaChoice) : undefined,
      holder,
    ),
    read: () => chosen()?.read() ?? nothing,
  };
}

/** The body in one media type. Examples take the place of what was typed, and give it back. */
function contentEditor(
  { mediaType, schema, encoding, examples }: TryItContent,
  definitions: TryItData["requestDefinitions"],
) {
  const isFields = /^(?:application\/x-www-form-urlencoded|multipart\/)/i.test(mediaType);
  const isValue = isFields || isJson(mediaType);
  const texts = examples.map(({ value }) => (isValue ? JSON.stringify(value, null, 2) : toText(value)));
  const editor = valueEditor({
    label: isFields ? "Fields of the form as JSON" : isValue ? "Request body as JSON" : "Request body as text",
    ...{ place: "body:", subject: "The body", schema, definitions, text: texts[0] ?? "" },
    readText: (text) => (isValue ? readJson(text, "body:") : { value: text }),
  });
  const summaries = examples.map(({ summary }) => summary);
  const exampleChoice = choice(summaries, 0, {
    input: () => {
      editor.write(texts[exampleChoice.selectedIndex] ?? "");
    },
  });
  editor.area.addEventListener("input", () => {
    if (texts.length === examples.length) exampleChoice.append(element("option", {}, "Your text"));
    texts[examples.length] = editor.area.value;
    exampleChoice.selectedIndex = examples.length;
  });
  const row = examples.length > 1 ? labelled("Example", exampleChoice) : undefined;
  return {
    element: element("div", {}, row, editor.element),
    read: () => ({ ...editor.read(), contentType: mediaType, encoding }),
  };
}
