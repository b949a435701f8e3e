import { countOf } from "../../values/text.ts";
import { groupBy } from "../../values/collections.ts";
import { elementsOf, isObject, stringOf } from "../../values/json.ts";
import { button, element } from "./elements.ts";
import { readJsonPlaces } from "../../values/jsonPlaces.ts";

/** A violation and its place, as the mock's problem details or the form report it. */
export interface PlacedViolation {
  /** `<in>:<name>` or `body:`, followed by the JSON Pointer of the value inside. */
  readonly place: string;
  readonly message: string;
  /** The offset in the control's text, if the text isn't JSON. */
  readonly offset?: number;
}

/** Limits for responses from hostile servers: more violations, or longer places, would freeze the page. */
const maximumViolations = 100;
const maximumLength = 1_000;

/** The violations in problem details (RFC 9457) with the extension member `violations`. Empty for any other value. */
export function readViolations(problem: unknown): readonly PlacedViolation[] {
  const violations = elementsOf(isObject(problem) && problem["violations"]).slice(0, maximumViolations);
  return violations.filter(isObject).flatMap(({ in: place, name, pointer, message }) => {
    const where = stringOf(pointer) ?? stringOf(name) ?? "";
    const isUsable = typeof place === "string" && typeof message === "string" && where.length <= maximumLength;
    return isUsable ? [{ place: `${place}:${where}`, message }] : [];
  });
}

/** The form's own checks of its controls. Their violations are shown where there are no others. */
export const checks = new WeakMap<HTMLElement, () => readonly PlacedViolation[]>();

/** Shows violations beside their controls. Returns the first of these controls in the form. */
export function markControls(form: HTMLElement, violations: readonly PlacedViolation[]): HTMLElement | undefined {
  const controls = [...form.querySelectorAll<HTMLElement>("[data-place]")];
  // Header names are case-insensitive.
  const controlOf = (place: string) =>
    controls.findLast(({ dataset }) => dataset["place"]?.toLowerCase() === place.toLowerCase());
  const byControl = groupBy(violations, ({ place }) => nearest(place, controlOf));
  for (const control of controls) showViolations(control, byControl.get(control) ?? checks.get(control)?.() ?? []);
  const first = controls.find((control) => byControl.has(control));
  // The choice of the receiver may be folded.
  first?.closest("details")?.setAttribute("open", "");
  return first;
}

/** Finds the element for a place, or for the nearest place around it. */
function nearest<T>(place: string, find: (place: string) => T | undefined): T | undefined {
  const found = find(place);
  if (found !== undefined || !place.includes("/")) return found;
  return nearest(place.slice(0, place.lastIndexOf("/")), find);
}

/** Shows violations beside a control, instead of the previous ones. */
export function showViolations(control: HTMLElement, violations: readonly PlacedViolation[]): void {
  control.ariaInvalid = violations.length > 0 ? "true" : null;
  const items =
    control instanceof HTMLTextAreaElement
      ? lineItems(control, violations)
      : violations.map(({ message }) => element("li", {}, message));
  const row = control.closest(".input");
  row?.querySelector(".violations")?.replaceChildren(...items);
  if (items.length > 0) row?.querySelector("[role=status]")?.replaceChildren(`${countOf(items.length, "violation")}:`);
}

/** Violations in the order of their places in a text. Each has a button that goes to its line. */
function lineItems(area: HTMLTextAreaElement, violations: readonly PlacedViolation[]): readonly HTMLElement[] {
  const values = new Map<string, number>();
  const end = readJsonPlaces(area.value, (pointer, offset) => values.set(pointer, offset));
  const { length } = area.dataset["place"] ?? "";
  const offsetOf = (place: string) => nearest(place.slice(length), (pointer) => values.get(pointer));
  return violations
    .map(({ place, message, offset }) => ({ message, offset: end ? offset : offsetOf(place) }))
    .sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0))
    .map(({ message, offset }) => {
      const way = offset === undefined ? [] : [lineButton(area, offset, end !== undefined), " "];
      return element("li", {}, ...way, message);
    });
}

function lineButton(area: HTMLTextAreaElement, offset: number, hasColumn: boolean): HTMLButtonElement {
  const before = area.value.slice(0, offset).split("\n");
  const { length: column } = before.at(-1) ?? "";
  const [rest = ""] = area.value.slice(offset).split("\n");
  const select = () => {
    area.focus();
    area.setSelectionRange(offset - column, offset + rest.length);
    // Browsers don't scroll to a selection.
    area.parentElement?.scrollTo({ top: ((before.length - 3) * area.clientHeight) / area.rows });
  };
  return button(`Line ${before.length}${hasColumn ? `, column ${column + 1}` : ""}`, { class: "line", click: select });
}
