import { parseJson } from "../../spec/json.ts";
import { valueAt } from "../../spec/jsonPointer.ts";
import { button, element } from "./elements.ts";
import { readViolations } from "./violationMarks.ts";

/** Asks a server whether it is a mock. Of pages from elsewhere, mocks refuse the question, which answers it too. */
export async function isMockServer(server: string): Promise<boolean> {
  const answer = await callMock(server, "GET", "health");
  return (
    valueAt(answer, ["status"]) === "ready" || readViolations(answer).some(({ place }) => place === "header:Origin")
  );
}

/** A button that gives the mock the resources back that it started with. */
export function resetButton(server: string): HTMLElement {
  const outcome = element("span", { role: "status", class: "hint" });
  const reset = async () => {
    const answer = await callMock(server, "POST", "reset");
    const [refusal = { message: "The mock does not answer." }] = readViolations(answer);
    outcome.textContent = answer === "" ? "The mock has the resources again that it started with." : refusal.message;
  };
  return element("div", { class: "reset" }, button("Reset the mock", { click: () => void reset() }), outcome);
}

/** Calls one of the mock's own endpoints. Resolves to its JSON, to "" if there is none, and without a response to `undefined`. */
async function callMock(server: string, method: string, endpoint: string): Promise<unknown> {
  const init: RequestInit = { method, credentials: "omit", cache: "no-store", signal: AbortSignal.timeout(3000) };
  const response = await fetch(`${server}/-/mock/${endpoint}`, init).catch(() => undefined);
  const text = await response?.text().catch(() => undefined);
  return text && parseJson(text);
}
