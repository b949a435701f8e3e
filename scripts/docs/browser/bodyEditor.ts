import { isJson } from "../../contract/openapi.ts";
import { toText } from "../../contract/parameterText.ts";
import type { SampleRequest } from "../../contract/writeRequest.ts";
import type { Definitions } from "../schemaSubset.ts";
import type { TryItBody, TryItContent } from "../tryItData.ts";
import { allowsAnything, startValue } from "./editableSchema.ts";
import { button, choice, element, group, labelled, newId } from "./elements.ts";
import { valueEditor } from "./valueEditor.ts";
import type { Complaint } from "./violationMarks.ts";

export type BodyValue = Pick<SampleRequest, "contentType" | "body" | "encoding">;

export interface BodyEditor {
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

function contentEditor(
  content: TryItContent,
  initial: unknown,
  definitions: Definitions,
  onChange: () => void,
): ContentEditor {
  const { mediaType, schema, examples } = content;
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/)/i.test(mediaType);
  const isValue = isForm || isJson(mediaType);
  let value: unknown = initial ?? examples[0]?.value ?? startValue(schema, definitions);
  let invalid: string | undefined;

  const area = element("textarea", {
    rows: "12",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "data-place": "body:",
    "aria-label": isValue ? "Request body as JSON" : "Request body",
    id: newId(),
    input: () => {
      readArea();
      onChange();
    },
  });
  const readArea = () => {
    try {
      value = isValue ? JSON.parse(area.value) : area.value;
      invalid = undefined;
    } catch (error) {
      invalid = `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  const writeArea = () => {
    area.value = isValue ? JSON.stringify(value, null, 2) : toText(value);
    invalid = undefined;
  };

  const fields = element("div", { class: "body-fields" });
  const text = element("div", { hidden: true }, area);
  const warning = element("p", { class: "complaint", role: "alert", hidden: true });
  const showFields = () => {
    const whole = { schema, definitions, value, label: "Fields of the body", isRequired: false, place: "body:" };
    const change = (changed: unknown) => {
      value = changed;
      onChange();
    };
    fields.replaceChildren(valueEditor({ ...whole, onChange: change }));
  };
  // A form is made of fields; of a body of any kind there is nothing that a form could ask for.
  const hasFields = isValue && !allowsAnything(schema, definitions);

  const views = ["Fields", "Text"].map((label, index) =>
    button(label, {
      "aria-pressed": String(index === 0),
      click: () => {
        showView(index === 0);
      },
    }),
  );
  const showView = (asFields: boolean) => {
    warning.hidden = !(asFields && invalid !== undefined);
    if (asFields && invalid !== undefined) {
      warning.textContent = `${invalid}. Correct it to see its fields.`;
      return;
    }
    if (asFields) showFields();
    else writeArea();
    fields.hidden = !asFields;
    text.hidden = asFields;
    for (const [index, view] of views.entries()) view.setAttribute("aria-pressed", String((index === 0) === asFields));
  };
  const exampleChoice = choice(
    examples.map(({ summary }) => summary),
    Math.max(
      0,
      examples.findIndex((example) => JSON.stringify(example.value) === JSON.stringify(value)),
    ),
    {
      change: () => {
        value = examples[exampleChoice.selectedIndex]?.value;
        invalid = undefined;
        showView(!fields.hidden);
        onChange();
      },
    },
  );
  showView(hasFields);
  return {
    element: element(
      "div",
      {},
      examples.length > 1 ? labelled("Example", exampleChoice) : undefined,
      hasFields
        ? element("div", { class: "views", role: "group", "aria-label": "Edit the body as" }, ...views)
        : undefined,
      warning,
      fields,
      text,
    ),
    read: () => (invalid === undefined ? { value } : { place: "body:", message: `${invalid}.` }),
  };
}
