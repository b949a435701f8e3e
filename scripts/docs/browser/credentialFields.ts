import { base64, type SentCredential } from "../../contract/security.ts";
import type { TryItData } from "../model/tryItData.ts";
import { choice, element, group, labelled, typed } from "./elements.ts";
import { keepable } from "./keptValues.ts";

/**
 * The choice among alternatives, the first of which is in the example, and controls for their credentials.
 */
export function credentialFields({ security }: TryItData) {
  const alternatives = [...security.filter((schemes) => schemes.length > 0), []];
  const controls = new Map(security.flat().map((credential) => [credential.name, controlsOf(credential)]));
  const input = () => {
    fields.replaceChildren(...chosen().flatMap(({ name }) => controls.get(name)?.elements ?? []));
  };
  const labels = alternatives.map((schemes) => schemes.map(({ name }) => name).join(" and ") || "None");
  const select = choice(labels, 0, { input });
  keepable("credentials", select);
  const chosen = () => alternatives[select.selectedIndex] ?? [];
  const fields = element("div");
  input();
  return {
    element: alternatives.length > 1 ? group("Credentials", labelled("Authenticate with", select), fields) : undefined,
    read: () => chosen().map((credential) => ({ ...credential, example: controls.get(credential.name)?.read() ?? "" })),
  };
}

const placeNames = { header: "header", query: "query parameter", cookie: "cookie" } as const;

function controlsOf({ name, in: place, parameter, prefix, example }: SentCredential) {
  if (place === "connection") {
    const note = `${name}: a certificate of the connection, which no form can send.`;
    return { elements: [element("p", {}, note)], read: () => example };
  }
  const key = `${place}:${parameter} ${name}`;
  // No `type="password"`: browsers offer to store what is typed there.
  const first = element("input", { ...typed, type: "text", "data-place": `${place}:${parameter}` });
  if (prefix !== "Basic ") {
    first.value = example;
    keepable(key, first);
    const hint = `Sent in the ${parameter} ${placeNames[place]}${prefix && `, after the word ${prefix.trim()}`}.`;
    return { elements: [labelled(name, first, hint)], read: () => first.value };
  }
  // Basic authentication carries the Base64 form of a user name and a password (RFC 7617).
  const second = element("input", { ...typed, type: "text" });
  const bytes = Uint8Array.from(atob(example), (character) => character.codePointAt(0) ?? 0);
  [first.value = "", second.value = ""] = new TextDecoder().decode(bytes).split(/:(.*)/s);
  keepable(`${key} user name`, first);
  keepable(`${key} password`, second);
  return {
    elements: [labelled(`${name}: user name`, first), labelled(`${name}: password`, second)],
    read: () => base64(`${first.value}:${second.value}`),
  };
}
