import { messageOf } from "../../contract/failures.ts";
import { isJson } from "../../spec/mediaTypes.ts";
import { toText } from "../../samples/parameterText.ts";
import type { SampleRequest } from "../../samples/writeRequest.ts";
import type { Definitions } from "../model/schemaSubset.ts";
import type { TryItBody, TryItContent } from "../model/tryItData.ts";
import { allowsAnything, startValue } from "./editableSchema.ts";
import { button, choice, element, group, labelled, newId } from "./elements.ts";
import { valueEditor } from "./valueEditor.ts";
import type { Complaint } from "./violationMarks.ts";

type BodyValue = Pick<SampleRequest, "contentType" | "body" | "encoding">;

interface BodyEditor {
  readonly element: HTMLElement;
  readonly read: () => BodyValue | Complaint;
}

const none: BodyValue = { contentType: undefined, body: undefined, encoding: {} };

/** The body as fields and as text, which show the same value: changing one changes the other. */
export function bodyEditor(
  { required, content }: TryItBody,
  initial: BodyValue,
  definitions: Definitions,
  onChange: () => void,
): BodyEditor {
  let current = content.find(({ mediaType }) => mediaType === initial.contentType) ?? content[0];
  let isSent = required || initial.contentType !== undefined;
  let editor: ContentEditor | undefined;
  const holder = element("div");
  const show = (value?: unknown) => {
    editor = isSent && current ? contentEditor(current, value, definitions, onChange) : undefined;
    holder.replaceChildren(...(editor === undefined ? [] : [editor.element]));
  };

  const mediaTypes = content.map(({ mediaType }) => mediaType);
  const mediaChoice = choice(mediaTypes, current === undefined ? 0 : content.indexOf(current), {
    change: () => {
      current = content[mediaChoice.selectedIndex];
      show();
      onChange();
    },
  });
  const sendChoice = choice(["sent", "not sent"], isSent ? 0 : 1, {
    change: () => {
      isSent = sendChoice.selectedIndex === 0;
      show();
      onChange();
    },
  });
  const shown = group(
    required ? "Request body (required)" : "Request body",
    labelled("The body is", sendChoice),
    content.length > 1 ? labelled("Media type", mediaChoice) : undefined,
    holder,
  );
  show(current?.mediaType === initial.contentType ? initial.body : undefined);
  return {
    element: shown,
    read: () => {
      if (editor === undefined || current === undefined) return none;
      const value = editor.read();
      if ("message" in value) return value;
      return { contentType: current.mediaType, body: value.value, encoding: current.encoding };
    },
  };
}

interface ContentEditor {
  readonly element: HTMLElement;
  readonly read: () => { readonly value: unknown } | Complaint;
}

/** The body in one media type. Its value is what was written last, in whichever view. */
function contentEditor(
  { mediaType, schema, examples }: TryItContent,
  initial: unknown,
  definitions: Definitions,
  onChange: () => void,
): ContentEditor {
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/)/i.test(mediaType);
  const isValue = isForm || isJson(mediaType);
  // A form is made of fields; of a body of any kind there is nothing that a form could ask for.
  const hasFields = isValue && !allowsAnything(schema, definitions);
  let value: unknown = initial ?? examples[0]?.value ?? startValue(schema, definitions);
  const change = (changed: unknown) => {
    value = changed;
    onChange();
  };

  const fields = element("div", { class: "body-fields" });
  const showFields = () => {
    const whole = { schema, definitions, value, label: "Fields of the body", isRequired: false, place: "body:" };
    fields.replaceChildren(valueEditor({ ...whole, onChange: change }));
  };
  const text = textEditor(isValue, change, onChange);
  const views = viewSwitch(fields, text, (asFields) => {
    if (asFields) showFields();
    else text.write(value);
  });
  const exampleChoice = exampleList(examples, value, (example) => {
    text.write(example);
    value = example;
    views.show(!fields.hidden);
    onChange();
  });
  views.show(hasFields);
  return {
    element: element(
      "div",
      {},
      examples.length > 1 ? labelled("Example", exampleChoice) : undefined,
      hasFields ? views.buttons : undefined,
      views.warning,
      fields,
      text.element,
    ),
    read: () => {
      const fault = text.fault();
      return fault === undefined ? { value } : { place: "body:", message: `${fault}.` };
    },
  };
}

interface TextEditor {
  readonly element: HTMLElement;
  readonly write: (value: unknown) => void;
  /** Why the text has no value; `undefined` if it has one. */
  readonly fault: () => string | undefined;
}

/** The body as text: as JSON if it `isValue`. Tells what is typed as a value, and what has none as `onFault`. */
function textEditor(isValue: boolean, onValue: (value: unknown) => void, onFault: () => void): TextEditor {
  let fault: string | undefined;
  const area = element("textarea", {
    rows: "12",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "data-place": "body:",
    "aria-label": isValue ? "Request body as JSON" : "Request body",
    id: newId(),
    input: () => {
      const value = readText();
      if (fault === undefined) onValue(value);
      else onFault();
    },
  });
  const readText = (): unknown => {
    fault = undefined;
    if (!isValue) return area.value;
    try {
      return JSON.parse(area.value);
    } catch (error) {
      fault = `This is not JSON: ${messageOf(error)}`;
      return undefined;
    }
  };
  return {
    element: element("div", { hidden: true }, area),
    write: (value) => {
      area.value = isValue ? JSON.stringify(value, null, 2) : toText(value);
      fault = undefined;
    },
    fault: () => fault,
  };
}

/** Buttons that show a body as fields, which is refused while its text has no value, or as text. */
function viewSwitch(fields: HTMLElement, text: TextEditor, onShow: (asFields: boolean) => void) {
  const warning = element("p", { class: "complaint", role: "alert", hidden: true });
  const buttons = ["Fields", "Text"].map((label, index) =>
    button(label, {
      "aria-pressed": String(index === 0),
      click: () => {
        show(index === 0);
      },
    }),
  );
  const show = (asFields: boolean): void => {
    const fault = asFields ? text.fault() : undefined;
    warning.hidden = fault === undefined;
    if (fault !== undefined) {
      warning.textContent = `${fault}. Correct it to see its fields.`;
      return;
    }
    onShow(asFields);
    fields.hidden = !asFields;
    text.element.hidden = asFields;
    for (const [index, one] of buttons.entries()) one.setAttribute("aria-pressed", String((index === 0) === asFields));
  };
  const attributes = { class: "views", role: "group", "aria-label": "Edit the body as" };
  return { buttons: element("div", attributes, ...buttons), warning, show };
}

/** A choice of examples, of which the one is chosen that the body begins with. */
function exampleList(
  examples: TryItContent["examples"],
  initial: unknown,
  onChoice: (value: unknown) => void,
): HTMLSelectElement {
  const summaries = examples.map(({ summary }) => summary);
  const first = examples.findIndex(({ value }) => JSON.stringify(value) === JSON.stringify(initial));
  const list = choice(summaries, Math.max(0, first), {
    change: () => {
      onChoice(examples[list.selectedIndex]?.value);
    },
  });
  return list;
}
