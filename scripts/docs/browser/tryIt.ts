/*
 * The form that tries an operation, loaded when its button is pressed for the first time. What the operation is like is in
 * a script beside the page, which calls the function `tryIt`.
 */
import { messageOf } from "../../contract/failures.ts";
import type { SampleRequest } from "../../samples/writeRequest.ts";
import type { TryItData } from "../model/tryItData.ts";
import { button, element, newId } from "./elements.ts";
import { requestCode } from "./requestCode.ts";
import { requestForm } from "./requestForm.ts";
import { responseView } from "./responseView.ts";
import { sendRequest, unsendable, type NoResponse, type Received } from "./sendRequest.ts";
import { clearMarks, markControls, readViolations, type Complaint } from "./violationMarks.ts";

declare global {
  interface Window {
    tryIt: (data: TryItData) => void;
  }
}

const opener = document.querySelector<HTMLButtonElement>('[data-open="try-it"]');
const heading = element("h2", { tabindex: "-1", id: newId() }, "Try it");
const content = element("div", {}, element("p", {}, "Loading…"));
const section = element(
  "section",
  { class: "try-it", id: newId(), "aria-labelledby": heading.id },
  element("div", { class: "try-it-head" }, heading, button("Close", { "aria-label": "Close the form", click: close })),
  content,
);

if (opener !== null) {
  document.querySelector(".overview")?.append(section);
  opener.setAttribute("aria-controls", section.id);
  opener.addEventListener("click", open);
  window.tryIt = (data) => {
    content.replaceChildren(...tryItForm(data));
  };
  const script = element("script", {
    src: "try-it.js",
    error: () => {
      content.replaceChildren(
        element("p", { role: "alert" }, "The form could not be loaded. Reload the page to try again."),
      );
    },
  });
  document.head.append(script);
  open();
}

function open(): void {
  section.hidden = false;
  opener?.setAttribute("aria-expanded", "true");
  heading.focus();
}

/** What was typed stays in the form until the page is left. */
function close(): void {
  section.hidden = true;
  opener?.setAttribute("aria-expanded", "false");
  opener?.focus();
}

/** What sending a request changes. */
interface FormParts {
  readonly data: TryItData;
  readonly form: HTMLFormElement;
  readonly complaints: ComplaintList;
  readonly sender: Sender;
  /** What goes on, which screen readers say aloud. */
  readonly status: HTMLElement;
  readonly response: HTMLElement;
}

function tryItForm(data: TryItData): readonly HTMLElement[] {
  const code = requestCode(data);
  const notes = element("div", { class: "hint" });
  const request = requestForm(data, () => {
    showRequest();
  });
  const showRequest = () => {
    const current = request.read();
    code.show(isRequest(current) ? current : undefined);
    const remarks = isRequest(current) ? unsendable(current) : [];
    notes.replaceChildren(...remarks.map((remark) => element("p", {}, remark)));
  };

  const form = element("form", { novalidate: true, autocomplete: "off" });
  const complaints = complaintList(form);
  const status = element("p", { role: "status", class: "progress" });
  const response = element("section", { class: "response-view", "aria-label": "Response", hidden: true });
  const sender = createSender((isSending) => {
    cancel.hidden = !isSending;
  });
  const cancel = button("Cancel", { hidden: true, click: sender.cancel });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit({ data, form, complaints, sender, status, response }, request.read()).catch((error: unknown) => {
      status.textContent = `The response cannot be shown: ${messageOf(error)}.`;
    });
  });
  const send = element("button", { type: "submit", class: "primary" }, "Send");
  const actions = element("div", { class: "actions" }, send, cancel, status);
  form.append(complaints.element, ...request.elements, notes, actions);
  showRequest();
  return [element("div", { class: "try-it-columns" }, form, element("div", {}, response, code.element))];
}

async function submit(parts: FormParts, request: SampleRequest | readonly Complaint[]): Promise<void> {
  const { data, form, complaints, sender, status, response } = parts;
  clearMarks(form);
  complaints.clear();
  if (!isRequest(request)) {
    complaints.show("The request was not sent:", request);
    return;
  }
  status.textContent = "Sending…";
  const received = await sender.send(request);
  if (received === undefined) return;
  response.hidden = "failure" in received;
  if ("failure" in received) {
    status.textContent = received.failure;
    return;
  }
  const isMock = data.isMock && request.server === data.request.server;
  const [line, verdict, ...rest] = responseView(data, received, isMock);
  response.replaceChildren(...[line, verdict, ...rest].filter((part) => part !== undefined));
  // Said aloud by screen readers; the response below says it to everyone else.
  status.textContent = `Received ${line?.firstChild?.textContent ?? ""}. ${verdict?.firstChild?.textContent ?? ""}`;
  const violations = readViolations(received.json?.value);
  if (violations.length > 0) complaints.show("The server refused the request:", violations);
  else response.scrollIntoView({ block: "nearest" });
}

interface ComplaintList {
  readonly element: HTMLElement;
  /** Marks the controls, too, and moves the focus to the first of them. */
  readonly show: (title: string, complaints: readonly Complaint[]) => void;
  readonly clear: () => void;
}

function complaintList(form: HTMLFormElement): ComplaintList {
  const list = element("div", { class: "summary", tabindex: "-1", hidden: true });
  return {
    element: list,
    show: (title, complaints) => {
      const first = markControls(form, complaints);
      const items = complaints.map(({ message }) => element("li", {}, message));
      list.replaceChildren(element("p", {}, title), element("ul", {}, ...items));
      list.hidden = false;
      (first ?? list).focus();
    },
    clear: () => {
      list.hidden = true;
    },
  };
}

interface Sender {
  /** Resolves to `undefined` if another request has taken the place of this one. */
  readonly send: (request: SampleRequest) => Promise<Received | NoResponse | undefined>;
  readonly cancel: () => void;
}

/** Sends one request at a time, and tells whether one is under way. */
function createSender(onChange: (isSending: boolean) => void): Sender {
  let sending: AbortController | undefined;
  return {
    send: async (request) => {
      sending?.abort();
      const own = new AbortController();
      sending = own;
      onChange(true);
      const received = await sendRequest(request, own.signal);
      if (sending !== own) return undefined;
      sending = undefined;
      onChange(false);
      return received;
    },
    cancel: () => {
      sending?.abort();
    },
  };
}

function isRequest(value: SampleRequest | readonly Complaint[]): value is SampleRequest {
  return "method" in value;
}
