import { elementsOf, isObject } from "../../spec/json.ts";
import { firstControl, newId, element } from "./elements.ts";

/** Something wrong with a request, and where: as the mock's problem details name it, or as the form itself found it. */
export interface Complaint {
  /** `<in>:<name>` or `body:<JSON Pointer>`. */
  readonly place: string;
  readonly message: string;
}

/** Whoever answers may be hostile: more than this, or longer places, would keep the page from answering. */
const maximumViolations = 100;
const maximumLength = 1_000;

/** The violations in problem details (RFC 9457) with the extension member `violations`; none in any other value. */
export function readViolations(problem: unknown): readonly Complaint[] {
  if (!isObject(problem)) return [];
  const violations = elementsOf(problem["violations"]).slice(0, maximumViolations);
  return violations.flatMap((violation) => {
    if (!isObject(violation)) return [];
    const { in: place, name, pointer, message } = violation;
    const where = typeof pointer === "string" ? pointer : typeof name === "string" ? name : "";
    const isUsable = typeof place === "string" && typeof message === "string" && where.length <= maximumLength;
    return isUsable ? [{ place: `${place}:${where}`, message }] : [];
  });
}

/** Marks the controls that complaints are about, each with its message. Returns the first one in the form. */
export function markControls(form: HTMLElement, complaints: readonly Complaint[]): HTMLElement | undefined {
  const marked = complaints.flatMap(({ place, message }) => {
    const control = controlOf(form, place);
    if (control === undefined) return [];
    const id = newId();
    const described = control.getAttribute("aria-describedby");
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", described === null ? id : `${id} ${described}`);
    const row = control.closest(".input, .adder") ?? control;
    row.append(element("p", { class: "complaint", id }, message));
    return [control];
  });
  return marked.toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0];
}

export function clearMarks(form: HTMLElement): void {
  for (const message of form.querySelectorAll(".complaint")) {
    for (const control of form.querySelectorAll(`[aria-describedby~="${message.id}"]`)) {
      const others = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== message.id);
      if (others.length > 0) control.setAttribute("aria-describedby", others.join(" "));
      else control.removeAttribute("aria-describedby");
      control.removeAttribute("aria-invalid");
    }
    message.remove();
  }
}

/**
 * The control of a place; where it is not in the form, what would add it, or the control of what it would be in. Names of
 * headers are the same in either case.
 */
function controlOf(form: HTMLElement, place: string): HTMLElement | undefined {
  const controls = [...form.querySelectorAll<HTMLElement>("[data-place], [data-adds]")].filter(isShown);
  const of = (name: "place" | "adds", wanted: string) =>
    controls.find(({ dataset }) => dataset[name]?.toLowerCase() === wanted.toLowerCase());
  const exact = of("place", place);
  if (exact !== undefined) return exact instanceof HTMLFieldSetElement ? firstControl(exact) : exact;
  for (let outer = place; ; outer = outer.slice(0, outer.lastIndexOf("/"))) {
    const found = of("adds", outer) ?? of("place", outer);
    if (found !== undefined) return found instanceof HTMLFieldSetElement ? firstControl(found) : found;
    if (!outer.includes("/")) return undefined;
  }
}

function isShown(control: HTMLElement): boolean {
  return control.closest("[hidden]") === null;
}
