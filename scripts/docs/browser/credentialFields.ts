import type { SentCredential } from "../../contract/security.ts";
import { choice, element, group, labelled, typed } from "./elements.ts";

interface CredentialFields {
  readonly element: HTMLElement;
  readonly read: () => readonly SentCredential[];
}

/**
 * The choice among alternatives, and controls for their credentials. What is typed stays in these controls, so it is gone
 * with the page.
 */
export function credentialFields(
  security: readonly (readonly SentCredential[])[],
  initial: readonly SentCredential[],
  onChange: () => void,
): CredentialFields | undefined {
  const alternatives = [...security.filter((schemes) => schemes.length > 0), []];
  if (alternatives.length === 1) return undefined;
  const controls = new Map(security.flat().map((credential) => [credential.name, controlsOf(credential, onChange)]));
  const isInitial = (schemes: readonly SentCredential[]) =>
    initial.length > 0 && initial.every(({ name }) => schemes.some((scheme) => scheme.name === name));
  const labels = alternatives.map((schemes) => schemes.map(({ name }) => name).join(" and ") || "None");
  const select = choice(labels, Math.max(alternatives.findIndex(isInitial), 0), {
    change: () => {
      show();
      onChange();
    },
  });
  const chosen = () => alternatives[select.selectedIndex] ?? [];
  const fields = element("div");
  const show = () => {
    fields.replaceChildren(...chosen().flatMap(({ name }) => controls.get(name)?.elements ?? []));
  };
  show();
  const hint = "Stays in this page's memory, and is gone when you leave it.";
  return {
    element: group("Credentials", labelled("Authenticate with", select, hint), fields),
    read: () => chosen().map((credential) => ({ ...credential, example: controls.get(credential.name)?.read() ?? "" })),
  };
}

interface CredentialControls {
  readonly elements: readonly HTMLElement[];
  readonly read: () => string;
}

const placeNames = { header: "header", query: "query parameter", cookie: "cookie" } as const;

function controlsOf(credential: SentCredential, input: () => void): CredentialControls {
  const { name, in: place, parameter, prefix, example } = credential;
  if (place === "connection") {
    const note = `${name}: a certificate of the connection, which no form can send.`;
    return { elements: [element("p", {}, note)], read: () => example };
  }
  // No `type="password"`: browsers offer to store what is typed there.
  const attributes = { ...typed, type: "text", input };
  const first = element("input", { ...attributes, "data-place": `${place}:${parameter}` });
  if (prefix !== "Basic ") {
    first.value = example;
    const hint = `Sent in the ${parameter} ${placeNames[place]}${prefix && `, after the word ${prefix.trim()}`}.`;
    return { elements: [labelled(name, first, hint)], read: () => first.value };
  }
  // Basic authentication carries the Base64 form of a user name and a password (RFC 7617).
  const second = element("input", attributes);
  [first.value = "", second.value = ""] = fromBase64(example).split(/:(.*)/s);
  return {
    elements: [labelled(`${name}: user name`, first), labelled(`${name}: password`, second)],
    read: () => toBase64(`${first.value}:${second.value}`),
  };
}

function toBase64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

function fromBase64(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
  return new TextDecoder().decode(bytes);
}
