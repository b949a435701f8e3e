import type { SentCredential } from "../../contract/security.ts";
import { choice, element, group, labelled } from "./elements.ts";

interface CredentialFields {
  readonly element: HTMLElement;
  readonly read: () => readonly SentCredential[];
}

/**
 * The choice among alternatives, and a control for each credential. What is typed is kept in variables, so it is gone with
 * the page.
 */
export function credentialFields(
  security: readonly (readonly SentCredential[])[],
  initial: readonly SentCredential[],
  onChange: () => void,
): CredentialFields | undefined {
  const alternatives = [...security.filter((schemes) => schemes.length > 0), []];
  if (alternatives.length === 1) return undefined;
  const typed = new Map(security.flat().map((credential) => [credential.name, credential.example]));
  const names = (schemes: readonly SentCredential[]) => schemes.map(({ name }) => name).join(" and ");
  const first = alternatives.findIndex(
    (schemes) => initial.length > 0 && initial.every(({ name }) => schemes.some((scheme) => scheme.name === name)),
  );
  let chosen = alternatives[Math.max(first, 0)] ?? [];
  const fields = element("div");
  const show = () => {
    const rows = chosen.flatMap((credential) =>
      credentialControls(credential, typed.get(credential.name) ?? "", (value) => {
        typed.set(credential.name, value);
        onChange();
      }),
    );
    fields.replaceChildren(...rows);
  };
  const labels = alternatives.map((schemes) => names(schemes) || "None");
  const select = choice(labels, alternatives.indexOf(chosen), {
    change: () => {
      chosen = alternatives[select.selectedIndex] ?? [];
      show();
      onChange();
    },
  });
  show();
  const hint = "Stays in this page's memory, and is gone when you leave it.";
  return {
    element: group("Credentials", labelled("Authenticate with", select, hint), fields),
    read: () => chosen.map((credential) => ({ ...credential, example: typed.get(credential.name) ?? "" })),
  };
}

function credentialControls(
  credential: SentCredential,
  value: string,
  onChange: (value: string) => void,
): readonly HTMLElement[] {
  const { name, in: place, parameter, prefix } = credential;
  if (place === "connection")
    return [element("p", {}, `${name}: a certificate of the connection, which no form can send.`)];
  if (prefix === "Basic ") return basicControls(credential, value, onChange);
  const hint = `Sent in the ${parameter} ${placeNames[place]}${prefix === "" ? "" : `, after the word ${prefix.trim()}`}.`;
  return [labelled(name, secretInput(value, `${place}:${parameter}`, onChange), hint)];
}

const placeNames = { header: "header", query: "query parameter", cookie: "cookie" } as const;

/** Basic authentication carries the Base64 form of a user name and a password (RFC 7617). */
function basicControls(
  { name, in: place, parameter }: SentCredential,
  value: string,
  onChange: (value: string) => void,
): readonly HTMLElement[] {
  let [user = "", password = ""] = fromBase64(value).split(/:(.*)/s);
  const report = () => {
    onChange(toBase64(`${user}:${password}`));
  };
  const key = `${place}:${parameter}`;
  const userInput = secretInput(user, key, (text) => {
    user = text;
    report();
  });
  const passwordInput = secretInput(password, undefined, (text) => {
    password = text;
    report();
  });
  return [labelled(`${name}: user name`, userInput), labelled(`${name}: password`, passwordInput)];
}

/** No `type="password"`: browsers offer to store what is typed there. */
function secretInput(value: string, place: string | undefined, onChange: (value: string) => void): HTMLInputElement {
  const input = element("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "data-place": place,
    input: () => {
      onChange(input.value);
    },
  });
  input.value = value;
  return input;
}

function toBase64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

function fromBase64(base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
    return new TextDecoder().decode(bytes);
  } catch {
    return "";
  }
}
