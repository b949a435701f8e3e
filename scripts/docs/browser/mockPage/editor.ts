import { messageOf } from "../../../contract/failures.ts";
import { find, findKind } from "./pageParts.ts";

const dialog = findKind(HTMLDialogElement, "#edit-dialog");
const area = findKind(HTMLTextAreaElement, "#edited");

/** Opens a text to read, or to change and send. `send` rejects with the reason why the text can't be used. */
export function openEditor(title: string, text: string, send?: (text: string) => Promise<unknown>): void {
  find("#edit-title").textContent = title;
  find("#edit-trouble").textContent = "";
  area.value = text;
  area.readOnly = send === undefined;
  find("#edit-send").hidden = send === undefined;
  const close = () => {
    dialog.close();
  };
  find("#edit-cancel").onclick = close;
  find("#edit-send").onclick = () => {
    void send?.(area.value).then(close, (error: unknown) => {
      find("#edit-trouble").textContent = messageOf(error);
    });
  };
  dialog.showModal();
  area.setSelectionRange(0, 0);
  area.scrollTop = 0;
}
