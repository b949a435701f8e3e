import { attempt } from "../../contract/failures.ts";
import { base64, scopesText, type SentCredential } from "../../contract/security.ts";
import { splitOnce } from "../../contract/text.ts";
import { decodeBase64 } from "../../spec/bytes.ts";
import { parseJson, stringMembersOf } from "../../spec/json.ts";
import type { TryItData } from "../model/tryItData.ts";
import { choice, element, group, labelled, typed } from "./elements.ts";

// The server and credentials. If the reader agrees, all pages have them until the tab is closed.
const key = "docs.try-it";
const storage = attempt(() => sessionStorage);
const text = storage?.getItem(key) ?? "";
const kept = stringMembersOf(parseJson(text));
const keepables = new Map<string, HTMLInputElement | HTMLSelectElement>();

const box = element("input", { type: "checkbox", input: keep });
box.checked = text !== "";
export const keepChoice = element(
  "label",
  { class: "keep" },
  ...[box, " Keep address and credentials for all pages until this tab is closed"],
);

/** Fills a control with the stored value, if it is valid there. Stores later values, if the reader agrees. */
export function keepable(name: string, control: HTMLInputElement | HTMLSelectElement): void {
  const own = control.value;
  control.value = kept[name] ?? own;
  if (control.value === "" && kept[name] !== "") control.value = own;
  keepables.set(name, control);
  control.addEventListener("input", keep);
}

function keep(): void {
  const values = [...keepables].map(([name, { value }]) => [name, value]);
  // Other operations may need other credentials.
  if (box.checked) storage?.setItem(key, JSON.stringify({ ...kept, ...Object.fromEntries(values) }));
  else storage?.removeItem(key);
}

/** A choice of security alternatives with controls for their credentials. The example uses the first one. */
export function credentialFields({ security }: TryItData) {
  const alternatives = [...security.filter((schemes) => schemes.length > 0), []];
  const controls = new Map(security.flat().map((credential) => [credential.name, controlsOf(credential)]));
  const chosen = () => alternatives[select.selectedIndex] ?? [];
  const input = () => {
    fields.replaceChildren(...chosen().flatMap(({ name }) => controls.get(name)?.elements ?? []));
  };
  const nameOf = ({ name, ...scheme }: (typeof alternatives)[number][number]) =>
    [name, scopesText(scheme)].filter((text) => text !== "").join(", ");
  const labels = alternatives.map((schemes) => schemes.map(nameOf).join(" and ") || "None");
  const select = choice(labels, 0, { input });
  keepable("credentials", select);
  const fields = element("div");
  input();
  return {
    element: alternatives.length > 1 ? group("Credentials", labelled("Authenticate with", select), fields) : undefined,
    read: () => chosen().map((credential) => ({ ...credential, example: controls.get(credential.name)?.read() ?? "" })),
  };
}

function controlsOf({ name, in: place, parameter, prefix, example }: SentCredential) {
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
    keepable(`${place}:${parameter} ${label}`, control);
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
