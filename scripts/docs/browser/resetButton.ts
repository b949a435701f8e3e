import { button, element } from "./elements.ts";
import { readViolations } from "./violationMarks.ts";

/** What a reset comes to, if nothing is in its way. */
export const restored = "The mock has the resources again that it started with.";

/** A button that gives a mock the resources back that it started with, and says what has come of that. */
export function resetButton(reset: () => Promise<string>): HTMLElement {
  const outcome = element("span", { role: "status", class: "hint" });
  const click = async () => {
    outcome.textContent = await reset();
  };
  return element("div", { class: "reset" }, button("Reset the mock", { click: () => void click() }), outcome);
}

/** Resets the mock at an address. Resolves to what has come of that. */
export async function resetServer(server: string): Promise<string> {
  const init: RequestInit = { method: "POST", credentials: "omit", signal: AbortSignal.timeout(3000) };
  const response = await fetch(`${server}/-/mock/reset`, init).catch(() => undefined);
  const [refusal] = readViolations(await response?.json().catch(() => undefined));
  return response?.ok === true ? restored : (refusal?.message ?? "The mock does not answer.");
}
