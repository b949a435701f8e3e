/*
 * Filters the list of what is not specified. The choice is in the address, so that it can be linked to.
 */
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".filters");
  const selects = [...(form?.querySelectorAll("select") ?? [])];
  const status = form?.querySelector("[role=status]");
  const rows = [...document.querySelectorAll<HTMLElement>("tr[data-kind]")];

  const readAddress = () => {
    const query = new URLSearchParams(location.search);
    for (const select of selects) {
      select.value = query.get(select.name) ?? "";
      // A value that is not among the options.
      if (select.selectedIndex === -1) select.value = "";
    }
    showChosen();
  };
  const showChosen = () => {
    for (const row of rows) {
      row.hidden = selects.some(({ name, value }) => value !== "" && !valuesOf(row, name).includes(value));
    }
    for (const section of document.querySelectorAll<HTMLElement>("[data-filtered]")) {
      section.hidden = section.querySelector("tr[data-kind]:not([hidden])") === null;
    }
    const count = rows.filter(({ hidden }) => !hidden).length;
    status?.replaceChildren(count === rows.length ? `${count} shown` : `${count} of ${rows.length} shown`);
  };
  form?.addEventListener("change", () => {
    showChosen();
    const chosen = selects.filter(({ value }) => value !== "").map(({ name, value }) => [name, value]);
    const address = new URL(location.href);
    address.search = new URLSearchParams(chosen).toString();
    try {
      history.replaceState(null, "", address);
    } catch {
      // Browsers may keep the addresses of files as they are.
    }
  });
  window.addEventListener("popstate", readAddress);
  readAddress();
});

/** Groups are listed with spaces between them; a kind may have spaces itself. */
function valuesOf({ dataset }: HTMLElement, name: string): readonly string[] {
  const value = dataset[name] ?? "";
  return name === "group" ? value.split(" ") : [value];
}
