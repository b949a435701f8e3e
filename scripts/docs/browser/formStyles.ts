/** What `try-it.css` says, when this is bundled. */
declare const formStyles: string;

/** Gives the page the styles of forms and responses, which come with the scripts that need them. */
export function adoptFormStyles(): void {
  const styles = new CSSStyleSheet();
  styles.replaceSync(formStyles);
  document.adoptedStyleSheets.push(styles);
}
