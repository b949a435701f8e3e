import { button, element } from "./elements.ts";
import { readViolations } from "./violationMarks.ts";

/** The outcome of a successful reset. */
export const restored = "The mock is back to its initial resources.";

/** A button that resets a mock to its seed, and shows the outcome. */
export function resetButton(reset: () => Promise<string>): HTMLElement {
  const outcome = element("span", { role: "status", class: "hint" });
  const click = async () => {
    outcome.textContent = await reset();
  };
  return element("div", { class: "reset" }, button("Reset the mock", { click: () => void click() }), outcome);
}

/** Resets the mock at an address. Resolves to a sentence about the outcome. */
export async function resetServer(server: string): Promise<string> {
  const init: RequestInit = { method: "POST", credentials: "omit", signal: AbortSignal.timeout(3000) };
  const response = await fetch(`${server}/-/mock/reset`, init).catch(() => undefined);
  const [refusal] = readViolations(await response?.json().catch(() => undefined));
  return response?.ok === true ? restored : (refusal?.message ?? "The mock doesn't respond.");
}
