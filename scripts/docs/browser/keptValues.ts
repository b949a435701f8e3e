// The server and the credentials: if the reader wants that, all pages have them, until the tab is closed.
import { parseJson, stringMembersOf } from "../../spec/json.ts";
import { element } from "./elements.ts";
import { storageOf } from "./storage.ts";

const key = "docs.try-it";
const storage = storageOf("sessionStorage");
const text = storage?.getItem(key) ?? "";
const kept = stringMembersOf(parseJson(text));
const controls = new Map<string, HTMLInputElement | HTMLSelectElement>();

const box = element("input", { type: "checkbox", input: keep });
box.checked = text !== "";
export const keepChoice = element(
  "label",
  { class: "keep" },
  ...[box, " Keep address and credentials for all pages until this tab is closed"],
);

/** Gives a control the value that is kept under a name, if it can have that; keeps what it has later, if the reader wants that. */
export function keepable(name: string, control: HTMLInputElement | HTMLSelectElement): void {
  const own = control.value;
  control.value = kept[name] ?? own;
  if (control.value === "" && kept[name] !== "") control.value = own;
  controls.set(name, control);
  control.addEventListener("input", keep);
}

function keep(): void {
  const values = [...controls].map(([name, { value }]) => [name, value]);
  // Other operations take other credentials.
  if (box.checked) storage?.setItem(key, JSON.stringify({ ...kept, ...Object.fromEntries(values) }));
  else storage?.removeItem(key);
}
