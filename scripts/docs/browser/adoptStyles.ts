/** The text of `try-it.css`. The bundler sets it. */
declare const formStyles: string;

/** Adds styles to the page that are part of a script: those of forms and responses, or others. */
export function adoptStyles(text = formStyles): void {
  const styles = new CSSStyleSheet();
  styles.replaceSync(text);
  document.adoptedStyleSheets.push(styles);
}
