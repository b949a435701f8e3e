import { toText } from "../../samples/parameterText.ts";
import type { SampleRequest } from "../../samples/serializeRequest.ts";
import { isMultipart } from "../../spec/binary.ts";
import { isObject, withoutMembers } from "../../values/json.ts";
import { essenceOf, isForm, isJson } from "../../spec/mediaTypes.ts";
import type { Definitions } from "../model/schemaSubset.ts";
import type { TryItContent, TryItData } from "../model/tryItData.ts";
import { credentialFields } from "./credentialFields.ts";
import { fileInputs, withFiles } from "./fileInputs.ts";
import { answererFields } from "./answererFields.ts";
import { choice, element, labelled } from "./elements.ts";
import { keptValues } from "./keptValues.ts";
import { parameterFields } from "./parameterFields.ts";
import { readJson, valueEditor } from "./valueEditor.ts";

/** The controls for all parts of an operation's request. */
export function requestForm(data: TryItData) {
  const { request } = data;
  const kept = keptValues(data.generation);
  const answerer = answererFields(data, kept);
  const credentials = credentialFields(data, kept);
  const showCredentials = () => {
    credentials.showFor(answerer.read().receiver);
  };
  answerer.element.addEventListener("input", showCredentials);
  showCredentials();
  const line = element("span");
  const showLine = () => {
    line.textContent = [answerer.read().summary, ...credentials.summary(), ""].join(" · ");
  };
  const receiver = element(
    "details",
    { class: "receiver", input: showLine },
    element("summary", {}, line, element("b", {}, "Change")),
    ...[answerer.element, credentials.element, kept.choice],
  );
  showLine();
  const { answerer: first, violation: ofAddress } = answerer.read();
  receiver.open = ofAddress !== undefined || credentials.isMissing(first.isMock);
  const parameters = parameterFields(data);
  const body = bodyEditor(data);
  return {
    elements: [receiver, parameters.element, body.element],
    /** The chosen answerer. */
    answerer: () => answerer.read().answerer,
    read: () => {
      const sent = parameters.read();
      const { value, violation, contentType, files, note } = body.read();
      const { server, violation: ofServer } = answerer.read();
      const all = [ofServer, ...sent.map((parameter) => parameter.violation), violation];
      const violations = all.filter((one) => one !== undefined);
      if (violations.length > 0) return { request: undefined, violations, note };
      const current: SampleRequest = {
        ...{ ...request, contentType, files, body: value },
        server,
        parameters: sent.filter((parameter) => parameter.value !== undefined),
        credentials: credentials.read(),
      };
      return { request: current, violations, note };
    },
  };
}

function bodyEditor({ body, request, requestDefinitions }: TryItData) {
  const nothing = { value: undefined, violation: undefined, contentType: undefined, files: {}, note: undefined };
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
  const attributes = { input, "data-place": "body:", "aria-required": required && "true" };
  const select = choice([...mediaTypes, "not sent"], chosen, attributes);
  input();
  return {
    element: element("div", { class: "body" }, labelled("Request body", select), holder),
    read: () => editors[select.selectedIndex]?.read() ?? nothing,
  };
}

/** The body in one media type. Selecting an example replaces the typed text, which can be selected again. */
function contentEditor(content: TryItContent, definitions: Definitions) {
  const { mediaType, schema, alternatives = [], examples, files } = content;
  const inputs = fileInputs(content);
  if (files[""] !== undefined) return fileEditor(content, inputs);
  const isFields = isForm(essenceOf(mediaType)) || isMultipart(mediaType);
  const isValue = isFields || isJson(mediaType);
  const shown = examples.map(({ value }) => withoutMembers(value, Object.keys(files)));
  const texts = shown.map((value) => (isValue ? JSON.stringify(value, null, 2) : toText(value)));
  const editor = valueEditor({
    label: isFields ? "Fields of the form as JSON" : `Request body as ${isValue ? "JSON" : "text"}`,
    ...{ place: "body:", schema, alternatives, definitions, text: texts[0] ?? "", isJson: isValue },
    readText: (text) => (isValue ? withFiles(readJson(text, "body:"), examples[0]?.value, files) : { value: text }),
  });
  // The row above it says the same.
  editor.element.firstElementChild?.classList.add("hidden");
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
    element: element("div", {}, row, editor.element, ...inputs.map((input) => input.element)),
    read: () => {
      const { value, violation, note } = editor.read();
      const chosen = Object.fromEntries(
        inputs.flatMap(({ name, read }) => (read() === undefined ? [] : [[name, read()]])),
      );
      return {
        value: isObject(value) ? { ...value, ...chosen } : value,
        ...{ violation, note },
        contentType: mediaType,
        files,
      };
    },
  };
}

/** A body that is a single file. */
function fileEditor({ mediaType, examples, files }: TryItContent, inputs: ReturnType<typeof fileInputs>) {
  return {
    element: element("div", {}, ...inputs.map((input) => input.element)),
    read: () => {
      const file = inputs[0]?.read();
      // If the media type is a range, the file's own type is sent.
      const ownType = mediaType.includes("*") && file instanceof Blob ? file.type : "";
      const contentType = ownType || files[""]?.mediaType || mediaType;
      return { value: file ?? examples[0]?.value, violation: undefined, contentType, files, note: undefined };
    },
  };
}
