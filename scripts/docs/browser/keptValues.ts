import { parseJson, stringMembersOf } from "../../values/json.ts";
import { element } from "./elements.ts";
import { sitePath } from "./scriptAddress.ts";
import { keepInTab, readInTab } from "./tabStorage.ts";

export type KeptValues = ReturnType<typeof keptValues>;

/**
 * The address and credentials that a reader enters. If the reader agrees, all pages of the generation on this site have
 * them until the tab is closed.
 */
export function keptValues(generation: string) {
  const key = `docs.try-it ${sitePath} ${generation}`;
  const text = readInTab(key);
  const values = new Map(Object.entries(stringMembersOf(parseJson(text))));
  const store = () => {
    keepInTab(key, box.checked ? JSON.stringify(Object.fromEntries(values)) : "");
  };
  const box = element("input", { type: "checkbox", input: store });
  box.checked = text !== "";
  const label = ` Keep address and credentials for all pages of ${generation} until this tab is closed`;
  return {
    choice: element("label", { class: "keep" }, box, label),
    /**
     * Takes what is entered in a control as the value with this name. Returns a function that shows that value, or the
     * control's own if there is none that is valid there.
     */
    bind: (control: HTMLInputElement | HTMLSelectElement, nameOf: () => string): (() => void) => {
      const own = control.value;
      control.addEventListener("input", () => {
        values.set(nameOf(), control.value);
        store();
      });
      return () => {
        const value = values.get(nameOf());
        control.value = value ?? own;
        if (control.value === "" && value !== "") control.value = own;
      };
    },
  };
}
