/* The form that tries an operation. A script beside the page has its data, and calls `tryIt`. */
import { messageOf } from "../../contract/failures.ts";
import { hashOf } from "../../mock/content/variants.ts";
import type { TryItData } from "../model/tryItData.ts";
import { button, element, hint, newId } from "./elements.ts";
import { failureList } from "./failureList.ts";
import { adoptStyles } from "./adoptStyles.ts";
import { keepResponse, type Answered } from "./keepResponse.ts";
import { loadScript } from "./loadScript.ts";
import { requestCode } from "./requestCode.ts";
import { requestForm } from "./requestForm.ts";
import { responsePlace } from "./responsePlace.ts";
import { responseView } from "./responseView.ts";
import { sendRequest, type Answerer } from "./sendRequest.ts";
import { markControls, readViolations, type PlacedViolation } from "./violationMarks.ts";

declare global {
  interface Window {
    tryIt: (data: TryItData) => void;
  }
}

const opener = document.querySelector<HTMLButtonElement>('[data-open="try-it"]');
const heading = element("h2", { tabindex: "-1", id: newId() }, "Try it");
const close = button("Close", { "aria-label": "Close the form", click: show });
const holder = element("div", {}, element("p", {}, "Loading…"));
const section = element(
  "section",
  { class: "try-it", id: newId(), "aria-labelledby": heading.id },
  ...[element("div", { class: "try-it-head" }, heading, close), holder],
);

adoptStyles();
document.querySelector(".overview")?.after(section);
opener?.setAttribute("aria-controls", section.id);
opener?.addEventListener("click", show);
window.tryIt = (data) => {
  holder.replaceChildren(tryItForm(data));
};
show();
void loadScript("try-it.js").then((isLoaded) => {
  const advice = "The form couldn't be loaded. Reload the page to retry.";
  if (!isLoaded) holder.replaceChildren(element("p", { role: "alert" }, advice));
});

/** Opens the form, or closes it with its own button. The form keeps its content until the reader leaves the page. */
function show(event?: Event): void {
  const isShown = event?.currentTarget !== close;
  section.hidden = !isShown;
  opener?.setAttribute("aria-expanded", String(isShown));
  (isShown ? heading : opener)?.focus();
}

function tryItForm(data: TryItData): HTMLElement {
  const fields = requestForm(data);
  const code = requestCode("This request", data.options);
  const response = shownResponse(data);
  let current = "";
  const showRequest = () => {
    // The code doesn't depend on the answerer.
    const text = code.show(fields.read().request) + fields.answerer().signature;
    // The text has the credentials, which must not get into the browser's storage with a response.
    current = String(hashOf(text));
    response.compare(current);
  };
  let sending: AbortController | undefined;
  const summary = failureList();
  const progress = element("p", { role: "status", class: "progress" });
  const cancel = button("Cancel", { hidden: true, click: () => sending?.abort() });
  const submit = (event: Event) => {
    event.preventDefault();
    send().catch((error: unknown) => {
      progress.textContent = `The response can't be shown: ${messageOf(error)}.`;
    });
  };
  const form = element(
    "form",
    { novalidate: true, autocomplete: "off", submit, input: showRequest, keydown: sendByKeys },
    ...[summary.element, ...fields.elements],
    element("div", { class: "actions" }, ...sendButton(), cancel, progress),
  );

  /** Shows the outcome and the violations of the request. Moves the focus to the first invalid field. */
  const show = (outcome: string, title: string, violations: readonly PlacedViolation[]) => {
    progress.textContent = outcome;
    summary.show(title, violations);
    const marked = markControls(form, violations);
    if (violations.length > 0) (marked ?? summary.element).focus();
  };
  const send = async () => {
    const { request, violations, note } = fields.read();
    sending?.abort();
    const own = new AbortController();
    sending = own;
    response.hide();
    const sent = current;
    const notSent = "The request wasn't sent.";
    const answerer = fields.answerer();
    show(request ? answerer.progress : notSent, notSent, violations);
    if (request === undefined) return;
    if (request.method === "DELETE" && !mayDelete(answerer)) {
      progress.textContent = notSent;
      return;
    }
    cancel.hidden = false;
    const received = await sendRequest(request, answerer, own.signal);
    // A newer request has replaced this one.
    if (sending !== own) return;
    cancel.hidden = true;
    if ("outcome" in received) {
      show(received.outcome, received.outcome, received.violations);
      return;
    }
    const outcome = response.show({ sent, received, note }, answerer);
    response.compare(current);
    const named = readViolations(received.json);
    show(outcome, `${answerer.name} says:`, named);
    if (named.length === 0) response.element.scrollIntoView({ block: "nearest" });
  };

  response.restore(fields.answerer());
  showRequest();
  const results = element("div", {}, response.element, codeSection(code.element));
  return element("div", { class: "try-it-columns" }, form, results);
}

/** The button that sends the request, and its keys. */
function sendButton(): readonly HTMLElement[] {
  const shortcut = { "aria-keyshortcuts": "Control+Enter Meta+Enter" };
  const send = element("button", { type: "submit", class: "primary", ...shortcut }, "Send");
  return [send, element("kbd", { "aria-hidden": "true" }, "Ctrl ↵")];
}

/** The place of the response. It keeps the response while the page reloads. */
function shownResponse(data: TryItData) {
  const place = responsePlace("Response", "The form has changed since.");
  const keeper = keepResponse();
  /** Returns sentences about the response. */
  const show = (answered: Answered, answerer: Answerer, origin = ""): string => {
    const { sent, received, note } = answered;
    const { status, verdict, parts } = responseView(data, received, answerer, "Response", note);
    // A server's response may be confidential, so the browser's storage doesn't get it.
    keeper.keep(answerer.isMock ? answered : undefined);
    place.show(sent, [origin && hint(origin), ...parts]);
    return `Received ${status}. ${verdict} ${received.omission}`.trim();
  };
  return {
    ...{ element: place.element, compare: place.compare, show },
    hide: () => {
      place.element.hidden = true;
      keeper.keep(undefined);
    },
    /** Shows the response from before a reload. */
    restore: (answerer: Answerer) => {
      const origin = "From before the last save, compared with the contract as it is now.";
      if (keeper.saved !== undefined) show(keeper.saved, answerer, origin);
    },
  };
}

/** Asks before data of a server is deleted. */
function mayDelete({ server, isMock }: Answerer): boolean {
  return isMock || confirm(`${server} isn't the mock of these docs. Do you want to delete its data?`);
}

function codeSection(code: HTMLElement): HTMLElement {
  return element("section", { class: "request-code" }, element("h3", {}, "This request as code"), code);
}

function sendByKeys(event: Event): void {
  if (!(event instanceof KeyboardEvent) || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (event.currentTarget instanceof HTMLFormElement) event.currentTarget.requestSubmit();
}
