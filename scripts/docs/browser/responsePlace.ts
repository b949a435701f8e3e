import { element } from "./elements.ts";

/** The place of a response. It adds a note, which ends with `why`, when the request has changed since. */
export function responsePlace(label: string, why: string) {
  const note = element("p", { class: "hint", role: "status" });
  const place = element("section", { class: "response-view", "aria-label": label, hidden: true });
  let answered = "";
  return {
    element: place,
    /** Shows the response to a request. The text identifies the request. */
    show: (sent: string, parts: readonly (Node | string)[]) => {
      answered = sent;
      place.replaceChildren(note, ...parts);
      place.hidden = false;
    },
    /** Compares the current request with the one that was sent. */
    compare: (current: string) => {
      const isPrevious = current !== answered;
      place.classList.toggle("previous", isPrevious);
      note.textContent = isPrevious ? `This is the response to the previous request. ${why}` : "";
    },
  };
}
