import { element } from "./elements.ts";

/** The place of a response, which says so once the request is another than the one that was answered, and `why`. */
export function responsePlace(label: string, why: string) {
  const note = element("p", { class: "hint", role: "status" });
  const place = element("section", { class: "response-view", "aria-label": label, hidden: true });
  let answered = "";
  return {
    element: place,
    /** Shows the response to a request, which a text tells from others. */
    show: (sent: string, parts: readonly Node[]) => {
      answered = sent;
      place.replaceChildren(note, ...parts);
      place.hidden = false;
    },
    /** Compares the request as it's now. */
    compare: (current: string) => {
      const isPrevious = current !== answered;
      place.classList.toggle("previous", isPrevious);
      note.textContent = isPrevious ? `Of the previous request. ${why}` : "";
    },
  };
}
