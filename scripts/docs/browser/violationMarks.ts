import { countOf, groupBy } from "../../contract/text.ts";
import { elementsOf, isObject } from "../../spec/json.ts";
import { button, element } from "./elements.ts";
import { readJsonPlaces } from "./jsonPlaces.ts";

/** Something wrong with a request, and where: as the mock's problem details name it, or as the form itself found it. */
export interface PlacedViolation {
  /** `<in>:<name>` or `body:`, with the JSON Pointer of what is inside behind it. */
  readonly place: string;
  readonly message: string;
  /** The offset in the control's text, if that is not the one of the pointer. */
  readonly offset?: number;
}

/** Whoever answers may be hostile: more than this, or longer places, would keep the page from answering. */
const maximumViolations = 100;
const maximumLength = 1_000;

/** The violations in problem details (RFC 9457) with the extension member `violations`; none in any other value. */
export function readViolations(problem: unknown): readonly PlacedViolation[] {
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

/** Checks of controls by the form itself. */
const checks = new WeakMap<HTMLElement, () => readonly PlacedViolation[]>();

/** Sets a check of a control, whose violations are beside the control wherever there are no others. */
export function setCheck(control: HTMLElement, check: () => readonly PlacedViolation[]): void {
  checks.set(control, check);
}

/** Puts violations beside the controls that they are about. Returns the first of these in the form. */
export function markControls(form: HTMLElement, violations: readonly PlacedViolation[]): HTMLElement | undefined {
  const controls = [...form.querySelectorAll<HTMLElement>("[data-place]")];
  const byControl = groupBy(violations, ({ place }) => controlOf(controls, place));
  for (const control of controls) showViolations(control, byControl.get(control) ?? checks.get(control)?.() ?? []);
  return controls.find((control) => byControl.has(control));
}

/** The control of a place, or of what it is in. Names of headers are the same in either case. */
function controlOf(controls: readonly HTMLElement[], place: string): HTMLElement | undefined {
  const control = controls.findLast(({ dataset }) => dataset["place"]?.toLowerCase() === place.toLowerCase());
  if (control !== undefined || !place.includes("/")) return control;
  return controlOf(controls, place.slice(0, place.lastIndexOf("/")));
}

/** Puts violations beside a control, in place of those that were there. */
export function showViolations(control: HTMLElement, violations: readonly PlacedViolation[]): void {
  if (violations.length > 0) control.setAttribute("aria-invalid", "true");
  else control.removeAttribute("aria-invalid");
  const items = control instanceof HTMLTextAreaElement ? lineItems(control, violations) : violations.map(item);
  const row = control.closest(".input");
  row?.querySelector(".violations")?.replaceChildren(...items);
  if (items.length > 0) row?.querySelector("[role=status]")?.replaceChildren(`${countOf(items.length, "violation")}:`);
}

function item({ message }: PlacedViolation): HTMLElement {
  return element("li", {}, message);
}

/** Violations in the order of their places in a text, each with a button that goes to its line. */
function lineItems(area: HTMLTextAreaElement, violations: readonly PlacedViolation[]): readonly HTMLElement[] {
  const { values, end } = readJsonPlaces(area.value);
  const { length } = area.dataset["place"] ?? "";
  const offsetOf = (pointer: string): number | undefined =>
    values.get(pointer) ?? (pointer === "" ? undefined : offsetOf(pointer.slice(0, pointer.lastIndexOf("/"))));
  return violations
    .map((violation) => {
      const { offset = end === undefined ? offsetOf(violation.place.slice(length)) : undefined } = violation;
      return { violation, offset };
    })
    .sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0))
    .map(({ violation, offset }) => {
      const shown = item(violation);
      if (offset !== undefined) shown.prepend(lineButton(area, offset, violation.offset !== undefined), " ");
      return shown;
    });
}

function lineButton(area: HTMLTextAreaElement, offset: number, hasColumn: boolean): HTMLButtonElement {
  const before = area.value.slice(0, offset).split("\n");
  const { length: column } = before.at(-1) ?? "";
  const [rest = ""] = area.value.slice(offset).split("\n");
  const select = () => {
    area.focus();
    area.setSelectionRange(offset - column, offset + rest.length);
    // Browsers do not scroll to a selection.
    area.parentElement?.scrollTo({ top: ((before.length - 3) * area.clientHeight) / area.rows });
  };
  return button(`Line ${before.length}${hasColumn ? `, column ${column + 1}` : ""}`, { class: "line", click: select });
}
