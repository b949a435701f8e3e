/** Marks the chosen language. Shows the first sample if there is none in the chosen language. */
export function markLanguages(root: ParentNode = document): void {
  const { language } = document.documentElement.dataset;
  for (const group of root.querySelectorAll(".languages")) {
    const buttons = [...group.querySelectorAll<HTMLButtonElement>("[data-language-choice]")];
    const chosen = buttons.find((button) => button.dataset["languageChoice"] === language) ?? buttons[0];
    for (const button of buttons) button.setAttribute("aria-pressed", String(button === chosen));
    for (const sample of group.parentElement?.querySelectorAll<HTMLElement>(".sample") ?? []) {
      sample.classList.toggle("chosen", sample.dataset["language"] === chosen?.dataset["languageChoice"]);
    }
  }
}
