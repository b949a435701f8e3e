import { toText } from "../../samples/parameterText.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import type { Definitions } from "../model/schemaSubset.ts";
import type { TryItContent, TryItData } from "../model/tryItData.ts";
import { choice, element, group, labelled } from "./elements.ts";
import { readJson, valueEditor } from "./valueEditor.ts";

/** The request body as text: as JSON if its media type is JSON or a form. */
export function bodyEditor({ body, request, requestDefinitions }: TryItData) {
  const nothing = { value: undefined, violation: undefined, contentType: undefined, encoding: {} };
  if (body === undefined) return { element: undefined, read: () => nothing };
  const { required, content } = body;
  const editors = content.map((one) => contentEditor(one, requestDefinitions));
  const holder = element("div");
  const input = () => {
    holder.replaceChildren(editors[select.selectedIndex]?.element ?? "");
  };
  const mediaTypes = content.map(({ mediaType }) => mediaType);
  const first = required ? 0 : content.length;
  const chosen = request.contentType === undefined ? first : mediaTypes.indexOf(request.contentType);
  const labels = [...(content.length > 1 ? mediaTypes : ["sent"]), "not sent"];
  const select = choice(labels, chosen, { input, "data-place": "body:" });
  input();
  return {
    element: group(required ? "Request body (required)" : "Request body", labelled("The body is", select), holder),
    read: () => editors[select.selectedIndex]?.read() ?? nothing,
  };
}

/** The body in one media type. Examples take the place of what was typed, and give it back. */
function contentEditor({ mediaType, schema, encoding, examples }: TryItContent, definitions: Definitions) {
  const isFields = /^(?:application\/x-www-form-urlencoded|multipart\/)/i.test(mediaType);
  const isValue = isFields || isJson(mediaType);
  const texts = examples.map(({ value }) => (isValue ? JSON.stringify(value, null, 2) : toText(value)));
  const editor = valueEditor({
    label: isFields ? "Fields of the form as JSON" : isValue ? "Request body as JSON" : "Request body as text",
    ...{ place: "body:", subject: "The body", schema, definitions, text: texts[0] ?? "" },
    readText: (text) => (isValue ? readJson(text, "body:") : { value: text }),
  });
  const summaries = examples.map(({ summary }) => summary);
  const input = () => {
    editor.write(texts[select.selectedIndex] ?? "");
  };
  const select = choice(summaries, 0, { input });
  editor.area.addEventListener("input", () => {
    if (texts.length === examples.length) select.append(element("option", {}, "Your text"));
    texts[examples.length] = editor.area.value;
    select.selectedIndex = examples.length;
  });
  const row = examples.length > 1 ? labelled("Example", select) : undefined;
  return {
    element: element("div", {}, row, editor.element),
    read: () => ({ ...editor.read(), contentType: mediaType, encoding }),
  };
}
