/*
 * The form that tries an operation, loaded when its button is pressed for the first time. What the operation is like is in
 * a script beside the page, which calls the function `tryIt`.
 */
import { messageOf } from "../../contract/failures.ts";
import type { SampleRequest } from "../../contract/writeRequest.ts";
import type { TryItData } from "../tryItData.ts";
import { button, element, newId } from "./elements.ts";
import { requestCode } from "./requestCode.ts";
import { requestForm } from "./requestForm.ts";
import { responseView } from "./responseView.ts";
import { sendRequest, unsendable } from "./sendRequest.ts";
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

function tryItForm(data: TryItData): readonly HTMLElement[] {
  const code = requestCode(data);
  const notes = element("div", { class: "hint" });
  const summary = element("div", { class: "summary", tabindex: "-1", hidden: true });
  const status = element("p", { role: "status", class: "progress" });
  const response = element("section", { class: "response-view", "aria-label": "Response", hidden: true });
  let sending: AbortController | undefined;

  const form = element("form", { novalidate: true, autocomplete: "off" });
  const request = requestForm(data, () => {
    update();
  });
  const update = () => {
    const current = request.read();
    code.show(isRequest(current) ? current : undefined);
    const remarks = isRequest(current) ? unsendable(current) : [];
    notes.replaceChildren(...remarks.map((remark) => element("p", {}, remark)));
  };
  const complain = (title: string, complaints: readonly Complaint[]) => {
    const first = markControls(form, complaints);
    const items = complaints.map(({ message }) => element("li", {}, message));
    summary.replaceChildren(element("p", {}, title), element("ul", {}, ...items));
    summary.hidden = false;
    (first ?? summary).focus();
  };
  const submit = async () => {
    clearMarks(form);
    summary.hidden = true;
    const current = request.read();
    if (!isRequest(current)) {
      complain("The request was not sent:", current);
      return;
    }
    sending?.abort();
    const own = new AbortController();
    sending = own;
    cancel.hidden = false;
    status.textContent = "Sending…";
    const received = await sendRequest(current, own.signal);
    // Another request has taken the place of this one.
    if (sending !== own) return;
    sending = undefined;
    cancel.hidden = true;
    if ("failure" in received) {
      status.textContent = received.failure;
      response.hidden = true;
      return;
    }
    const isMock = data.isMock && current.server === data.request.server;
    const [line, verdict, ...rest] = responseView(data, received, isMock);
    response.replaceChildren(...[line, verdict, ...rest].filter((part) => part !== undefined));
    response.hidden = false;
    // Said aloud by screen readers; the response below says it to everyone else.
    status.textContent = `Received ${line?.firstChild?.textContent ?? ""}. ${verdict?.firstChild?.textContent ?? ""}`;
    const violations = readViolations(received.json?.value);
    if (violations.length > 0) complain("The server refused the request:", violations);
    else response.scrollIntoView({ block: "nearest" });
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit().catch((error: unknown) => {
      sending = undefined;
      cancel.hidden = true;
      status.textContent = `The response cannot be shown: ${messageOf(error)}.`;
    });
  });
  const cancel = button("Cancel", {
    hidden: true,
    click: () => {
      sending?.abort();
    },
  });
  const send = element("button", { type: "submit", class: "primary" }, "Send");
  form.append(summary, ...request.elements, notes, element("div", { class: "actions" }, send, cancel, status));
  update();
  return [element("div", { class: "try-it-columns" }, form, element("div", {}, response, code.element))];
}

function isRequest(value: SampleRequest | readonly Complaint[]): value is SampleRequest {
  return "method" in value;
}
