import { button, element } from "./elements.ts";
import { readViolations } from "./violationMarks.ts";

/** A button that gives the mock the resources back that it started with. */
export function resetButton(server: string): HTMLElement {
  const outcome = element("span", { role: "status", class: "hint" });
  const reset = async () => {
    const init: RequestInit = { method: "POST", credentials: "omit", signal: AbortSignal.timeout(3000) };
    const response = await fetch(`${server}/-/mock/reset`, init).catch(() => undefined);
    const [refusal] = readViolations(await response?.json().catch(() => undefined));
    const restored = "The mock has the resources again that it started with.";
    outcome.textContent = response?.ok === true ? restored : (refusal?.message ?? "The mock does not answer.");
  };
  return element("div", { class: "reset" }, button("Reset the mock", { click: () => void reset() }), outcome);
}
