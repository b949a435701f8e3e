import { adoptStyles } from "./adoptStyles.ts";

/** The text of `try-it.css`. The bundler sets it. */
declare const formStyles: string;

/** Adds the styles of forms and responses to the page. They are part of the scripts that need them. */
export function adoptFormStyles(): void {
  adoptStyles(formStyles);
}
