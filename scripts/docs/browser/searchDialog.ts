const loading = "Loading…";

/** Opens the dialog. Readers can type before the script and the index are loaded. */
export function openSearchDialog(): void {
  const dialog = findSearchDialog() ?? createSearchDialog(document.body);
  if (!dialog.open) dialog.showModal();
  const input = dialog.querySelector("input");
  input?.focus();
  input?.select();
}

export function findSearchDialog(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>("dialog.search");
}

/** Says that the search couldn't be loaded. */
export function sayNotLoaded(): void {
  const dialog = findSearchDialog();
  const say = (text: string) => dialog?.querySelector("[role=status]")?.replaceChildren(text);
  say("The search couldn't be loaded. Close and reopen it to retry.");
  dialog?.addEventListener("close", () => say(loading), { once: true });
}

/** Makes the dialog, as part of the page or for {@link openSearchDialog}. */
export function createSearchDialog(place: Element): HTMLDialogElement {
  const dialog = Object.assign(document.createElement("dialog"), { className: "search", ariaLabel: "Search" });
  dialog.innerHTML = `<div class="search-line">
      <label for="search-input"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M7 2.2a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6m3.5 8.3L14 14"/></svg><span class="hidden">Search</span></label>
      <input id="search-input" role="combobox" aria-expanded="false" aria-controls="search-results"
        aria-autocomplete="list" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go">
      <button type="button">Close</button>
    </div>
    <p role="status">${loading}</p>
    <div id="search-results" role="listbox" aria-label="Results"></div>
    <p class="keys"><kbd>↑</kbd><kbd>↓</kbd> to choose <kbd>↵</kbd> to open <kbd>Esc</kbd> to close</p>`;
  dialog.addEventListener("click", ({ target }) => {
    // A click on the backdrop is a click on the dialog itself.
    if ((target === dialog && dialog.matches(":modal")) || (target instanceof Element && target.closest("button")))
      dialog.close();
  });
  place.append(dialog);
  return dialog;
}
