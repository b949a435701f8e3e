import { base64, scopesText, type SentCredential } from "../../contract/security.ts";
import { splitOnce } from "../../values/text.ts";
import { decodeBase64 } from "../../values/bytes.ts";
import type { TryItData } from "../model/tryItData.ts";
import { choice, element, group, hint, labelled, typed } from "./elements.ts";
import type { KeptValues } from "./keptValues.ts";

/**
 * A choice of security alternatives with controls for their credentials. The example uses the first one. Each receiver
 * has its own credentials, so that no server gets those of another one.
 */
export function credentialFields({ security }: TryItData, kept: KeptValues) {
  const alternatives = [...security.filter((schemes) => schemes.length > 0), []];
  let receiver = "";
  const shows: (() => void)[] = [];
  const bind: Bind = (control, name) => void shows.push(kept.bind(control, () => `${receiver} ${name}`));
  const controls = new Map(security.flat().map((credential) => [credential.name, controlsOf(credential, bind)]));
  const chosen = () => alternatives[select.selectedIndex] ?? [];
  const input = () => {
    fields.replaceChildren(...chosen().flatMap(({ name }) => controls.get(name)?.elements ?? []));
  };
  const nameOf = ({ name, ...scheme }: (typeof alternatives)[number][number]) =>
    [name, scopesText(scheme)].filter((text) => text !== "").join(", ");
  const labels = alternatives.map((schemes) => schemes.map(nameOf).join(" and ") || "None");
  const select = choice(labels, 0, { input });
  kept.bind(select, () => "credentials")();
  const fields = element("div");
  const note = hint();
  input();
  const parts = [labelled("Authenticate with", select), fields, note];
  const valueOf = ({ name }: SentCredential) => controls.get(name)?.read() ?? "";
  return {
    element: alternatives.length > 1 ? group("Credentials", ...parts) : undefined,
    /** The chosen credentials, with the beginning of those of the contract's example. Others are secrets. */
    summary: () =>
      chosen().map((credential) => {
        const { name, example, in: place } = credential;
        const value = valueOf(credential);
        if (place === "connection") return name;
        return `${name} ${value === example ? `${example.slice(0, 6)}…` : value === "" ? "is missing" : "as entered"}`;
      }),
    /** Whether a credential is missing: an example is one only for the mock. */
    isMissing: (isMock: boolean) =>
      chosen().some((credential) => {
        const value = valueOf(credential);
        return value === "" || (value === credential.example && !isMock);
      }),
    /** Shows the credentials that were entered for a receiver of requests, or the contract's examples. */
    showFor: (next: string) => {
      receiver = next;
      for (const show of shows) show();
      note.textContent = receiver && `What you enter here is only for ${receiver}. Redirects aren't followed.`;
    },
    read: () => chosen().map((credential) => ({ ...credential, example: valueOf(credential) })),
  };
}

/** Binds a control to a name among the entered values. */
type Bind = (control: HTMLInputElement, name: string) => void;

function controlsOf({ name, in: place, parameter, prefix, example }: SentCredential, bind: Bind) {
  if (place === "connection") {
    const note = `${name}: a client certificate, which a form can't send.`;
    return { elements: [element("p", {}, note)], read: () => example };
  }
  const row = (label: string, value: string, hint?: string) => {
    // Not `type="password"`, because browsers offer to store passwords.
    const control = element("input", {
      ...typed,
      type: "text",
      "data-place": `${place}:${parameter}`,
      "data-secret": true,
    });
    control.value = value;
    bind(control, `${place}:${parameter} ${label}`);
    return { control, element: labelled(label, control, hint) };
  };
  if (prefix !== "Basic ") {
    const where = place === "query" ? "query parameter" : place;
    const hint = `Sent in the ${parameter} ${where}${prefix && `, after the word ${prefix.trim()}`}.`;
    const { control, element: shown } = row(name, example, hint);
    return { elements: [shown], read: () => control.value };
  }
  // Basic authentication sends user name and password as Base64 (RFC 7617).
  const [userName, password = ""] = splitOnce(decodeBase64(example) ?? "", ":");
  const rows = [row(`${name}: user name`, userName), row(`${name}: password`, password)];
  return {
    elements: rows.map((one) => one.element),
    read: () => base64(rows.map(({ control }) => control.value).join(":")),
  };
}
