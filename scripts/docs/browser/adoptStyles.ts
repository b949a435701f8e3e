/** Adds styles to the page that are part of a script. */
export function adoptStyles(text: string): void {
  const styles = new CSSStyleSheet();
  styles.replaceSync(text);
  document.adoptedStyleSheets.push(styles);
}
