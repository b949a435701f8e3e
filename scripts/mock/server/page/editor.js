// @ts-check
import { find, messageOf } from "./dom.js";

/** @type {HTMLDialogElement} */

const dialog = find("#edit-dialog");
/** @type {HTMLTextAreaElement} */
const area = find("#edited");

/**
 * Opens a text to read, or to change and send.
 *
 * @param {string} title
 * @param {string} text
 * @param {(text: string) => Promise<unknown>} [send] Rejects with the reason why the text can't be used.
 */
export function openEditor(title, text, send) {
  find("#edit-title").textContent = title;
  find("#edit-trouble").textContent = "";
  area.value = text;
  area.readOnly = send === undefined;
  find("#edit-send").hidden = send === undefined;
  find("#edit-cancel").onclick = () => {
    dialog.close();
  };
  find("#edit-send").onclick = () => {
    void send?.(area.value).then(
      () => {
        dialog.close();
      },
      (/** @type {unknown} */ error) => {
        find("#edit-trouble").textContent = messageOf(error);
      },
    );
  };
  dialog.showModal();
  area.setSelectionRange(0, 0);
  area.scrollTop = 0;
}
