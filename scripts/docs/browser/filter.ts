/* Filters the list of gaps. The choice is in the address, so that readers can link to it. */
document.addEventListener("DOMContentLoaded", () => {
  const selects = [...document.querySelectorAll<HTMLSelectElement>(".filters select")];
  const rows = [...document.querySelectorAll<HTMLElement>("tr[data-kind]")];
  const showChosen = () => {
    const chosen = selects.filter(({ value }) => value !== "");
    for (const row of rows) row.hidden = !chosen.every(({ name, value }) => valuesOf(row, name).includes(value));
    for (const section of document.querySelectorAll<HTMLElement>("[data-filtered]")) {
      section.hidden = section.querySelector("tr[data-kind]:not([hidden])") === null;
    }
    const count = rows.filter(({ hidden }) => !hidden).length;
    const outcome = count === rows.length ? `${count} shown` : `${count} of ${rows.length} shown`;
    document.querySelector(".filters [role=status]")?.replaceChildren(outcome);
    return new URLSearchParams(chosen.map(({ name, value }) => [name, value]));
  };
  const query = new URLSearchParams(location.search);
  for (const select of selects) {
    select.value = query.get(select.name) ?? "";
    // A value that isn't one of the options.
    if (select.selectedIndex === -1) select.value = "";
    select.addEventListener("change", () => {
      const address = new URL(location.href);
      address.search = String(showChosen());
      history.replaceState(null, "", address);
    });
  }
  showChosen();
});

/** Groups are separated by spaces. A kind may contain spaces. */
function valuesOf({ dataset }: HTMLElement, name: string): readonly string[] {
  const value = dataset[name] ?? "";
  return name === "group" ? value.split(" ") : [value];
}
