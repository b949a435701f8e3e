/** The parts of the dialog in which readers search. */
export interface SearchDialog {
  readonly dialog: HTMLDialogElement;
  readonly input: HTMLInputElement;
  /** What is said of the results, to those who do not see them too. */
  readonly status: HTMLElement;
  readonly results: HTMLElement;
}

const loading = "Loading…";

/**
 * Opens the dialog. It is there, and can be typed into, before the script and the index that it needs: until they have
 * come, it says that it waits for them.
 */
export function openSearchDialog(): void {
  const { dialog, input } = findSearchDialog() ?? createSearchDialog();
  if (!dialog.open) dialog.showModal();
  input.focus();
  input.select();
}

/** The dialog, if it has been opened on this page. */
export function findSearchDialog(): SearchDialog | undefined {
  const dialog = document.querySelector<HTMLDialogElement>("dialog.search");
  const input = dialog?.querySelector("input");
  const status = dialog?.querySelector<HTMLElement>("[role=status]");
  const results = dialog?.querySelector<HTMLElement>("[role=listbox]");
  return dialog && input && status && results ? { dialog, input, status, results } : undefined;
}

/** Says that what the search needs did not come. */
export function sayNotLoaded(): void {
  const parts = findSearchDialog();
  if (!parts) return;
  const { dialog, status } = parts;
  status.textContent = "The search could not be loaded. Close it, and open it again to retry.";
  dialog.addEventListener("close", () => (status.textContent = loading), { once: true });
}

function createSearchDialog(): SearchDialog {
  const dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.setAttribute("aria-label", "Search");
  dialog.innerHTML = `<div class="search-line">
      <label for="search-input">Search</label>
      <input id="search-input" role="combobox" aria-expanded="false" aria-controls="search-results"
        aria-autocomplete="list" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go">
      <button type="button">Close</button>
    </div>
    <p role="status">${loading}</p>
    <div id="search-results" role="listbox" aria-label="Results"></div>`;
  dialog.addEventListener("click", ({ target }) => {
    // A click on the backdrop is one on the dialog itself.
    if (target === dialog || (target instanceof Element && target.closest("button"))) dialog.close();
  });
  document.body.append(dialog);
  const parts = findSearchDialog();
  if (!parts) throw new Error("the search has not all of its parts");
  return parts;
}
