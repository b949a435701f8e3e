import { html, type Html } from "./html.ts";

/** Text that may be broken into lines at the places that a pattern matches, besides its spaces. */
export function breakAt(text: string, places: RegExp): Html {
  return html`${text.split(places).map((part, index) => (index === 0 ? part : html`<wbr />${part}`))}`;
}

/** A name that may be broken at its slashes and dots and between its words: `Booking.eventTypeId`. */
export function nameText(name: string): Html {
  return breakAt(name, /(?<=.)(?=\/)|(?<=[a-z\d.])(?=[A-Z])/);
}
