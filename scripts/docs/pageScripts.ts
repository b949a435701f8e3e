/*
 * Functions that run in a reader's browser: the site contains their text, so each is self-contained.
 */

/** Applies the colour mode that was chosen on a reference page, before anything is shown. */
export function applyColorMode(): void {
  try {
    const mode = localStorage.getItem("redoc.colorMode");
    if (mode === "light" || mode === "dark") document.documentElement.classList.add(mode);
  } catch {
    // Storage may be forbidden; then the system's mode applies.
  }
}

/** Titles and descriptions of the places of a page, by the fragment of its URL. */
export type PlaceTitles = Readonly<Record<string, readonly [title: string, description: string]>>;

/** Keeps the page's title and description those of the operation that is shown. */
export function followTitles(titles: PlaceTitles): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="description"]');
  const page = [document.title, meta?.content ?? ""] as const;
  const update = () => {
    // The renderer adds a second fragment for a field.
    const [, place = ""] = location.hash.split("#");
    const [title, description] = titles[`#${place}`] ?? page;
    document.title = title === page[0] ? title : `${title} – ${page[0]}`;
    if (meta) meta.content = description;
  };
  // Browsers without the Navigation API keep the title of the place at which the page was opened.
  const navigation: unknown = Reflect.get(window, "navigation");
  if (navigation instanceof EventTarget) navigation.addEventListener("currententrychange", update);
  window.addEventListener("hashchange", update);
  update();
}
