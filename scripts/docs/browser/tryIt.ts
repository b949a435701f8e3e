/*
 * The form that tries an operation, loaded when its button is pressed for the first time. The data of the operation is in
 * a script beside the page, which calls the function `tryIt`.
 */
import { messageOf } from "../../contract/failures.ts";
import { curlCommand } from "../../samples/curlCommand.ts";
import { typeScriptSample } from "../../samples/typeScriptSample.ts";
import { writeRequest, type SampleRequest } from "../../samples/writeRequest.ts";
import type { TryItData } from "../model/tryItData.ts";
import { button, element, newId } from "./elements.ts";
import { requestForm } from "./requestForm.ts";
import { responseView } from "./responseView.ts";
import { sendRequest, unsendable } from "./sendRequest.ts";
import { markControls, readViolations, type PlacedViolation } from "./violationMarks.ts";

declare global {
  interface Window {
    tryIt: (data: TryItData) => void;
  }
}

const opener = document.querySelector<HTMLButtonElement>('[data-open="try-it"]');
const heading = element("h2", { tabindex: "-1", id: newId() }, "Try it");
const close = button("Close", { "aria-label": "Close the form", click: toggle });
const holder = element("div", {}, element("p", {}, "Loading…"));
const section = element(
  "section",
  { class: "try-it", id: newId(), "aria-labelledby": heading.id },
  ...[element("div", { class: "try-it-head" }, heading, close), holder],
);

document.querySelector(".overview")?.after(section);
opener?.setAttribute("aria-controls", section.id);
opener?.addEventListener("click", toggle);
window.tryIt = (data) => {
  holder.replaceChildren(tryItForm(data));
};
const explain = () => {
  const advice = "The form could not be loaded. Reload the page to try again.";
  holder.replaceChildren(element("p", { role: "alert" }, advice));
};
document.head.append(element("script", { src: "try-it.js", error: explain }));
show(true);

function toggle({ currentTarget }: Event): void {
  show(currentTarget === opener);
}

/** The form keeps its content until the page is left. */
function show(isShown: boolean): void {
  section.hidden = !isShown;
  opener?.setAttribute("aria-expanded", String(isShown));
  (isShown ? heading : opener)?.focus();
}

function tryItForm(data: TryItData): HTMLElement {
  const code = requestCode(data);
  const notes = element("div", { class: "hint" });
  const fields = requestForm(data);
  const showRequest = () => {
    const { request } = fields.read();
    code.show(request);
    notes.replaceChildren(...(request ? unsendable(request) : []).map((remark) => element("p", {}, remark)));
  };

  let sending: AbortController | undefined;
  const summary = element("div", { class: "summary", tabindex: "-1", hidden: true });
  const response = element("section", { class: "response-view", "aria-label": "Response", hidden: true });
  // Screen readers say it aloud.
  const progress = element("p", { role: "status", class: "progress" });
  const cancel = button("Cancel", { hidden: true, click: () => sending?.abort() });
  const submit = (event: Event) => {
    event.preventDefault();
    send().catch((error: unknown) => {
      progress.textContent = `The response cannot be shown: ${messageOf(error)}.`;
    });
  };
  const form = element(
    "form",
    { novalidate: true, autocomplete: "off", submit, input: showRequest },
    ...[summary, ...fields.elements, notes],
    element(
      "div",
      { class: "actions" },
      ...[element("button", { type: "submit", class: "primary" }, "Send"), cancel, progress],
    ),
  );

  const showViolations = (title: string, violations: readonly PlacedViolation[]) => {
    const items = violations.map(({ message }) => element("li", {}, message));
    summary.replaceChildren(element("p", {}, title), element("ul", {}, ...items));
    summary.hidden = false;
    (markControls(form, violations) ?? summary).focus();
  };
  const send = async () => {
    const { request, violations: unsent } = fields.read();
    markControls(form, []);
    summary.hidden = true;
    if (request === undefined) {
      showViolations("The request was not sent:", unsent);
      return;
    }
    sending?.abort();
    const own = new AbortController();
    sending = own;
    cancel.hidden = false;
    progress.textContent = "Sending…";
    const received = await sendRequest(request, own.signal);
    // Another request has taken the place of this one.
    if (sending !== own) return;
    cancel.hidden = true;
    response.hidden = typeof received === "string";
    if (typeof received === "string") {
      progress.textContent = received;
      return;
    }
    const { status, verdict, parts } = responseView(data, received, request.server);
    response.replaceChildren(...parts);
    progress.textContent = `Received ${status}. ${verdict}`;
    const violations = readViolations(received.json);
    if (violations.length > 0) showViolations("The server refused the request:", violations);
    else response.scrollIntoView({ block: "nearest" });
  };

  showRequest();
  return element("div", { class: "try-it-columns" }, form, element("div", {}, response, code.element));
}

/** The request as a command line and as a program. */
function requestCode({ options }: TryItData) {
  const [curl, typeScript] = [element("code"), element("code")];
  const figure = (label: string, code: HTMLElement) =>
    element(
      "figure",
      {},
      element("figcaption", {}, label, button("Copy", { class: "copy", "data-copy-code": true })),
      element("pre", { tabindex: "0", role: "region", "aria-label": `This request in ${label}` }, code),
    );
  return {
    element: element(
      "section",
      { class: "request-code", "aria-label": "This request as code" },
      ...[element("h3", {}, "This request as code"), figure("curl", curl), figure("TypeScript", typeScript)],
    ),
    show: (request: SampleRequest | undefined) => {
      const missing = "Something is missing from the request.";
      curl.textContent = request ? curlCommand(writeRequest(request)) : missing;
      typeScript.textContent = request ? typeScriptSample(request, options) : missing;
    },
  };
}
