import { trusted, type Html } from "../../values/html.ts";

/** Lines on a grid of 16 by 16. */
const drawings = {
  arrow: "M3 8h10M9.5 4.5 13 8l-3.5 3.5",
  book: "M8 4v9.5M8 4C6.4 2.9 4 2.6 1.8 3v9.6c2.2-.4 4.6-.1 6.2.9 1.6-1 4-1.3 6.2-.9V3C12 2.6 9.6 2.9 8 4",
  check: "m3 8.5 3.3 3.3L13 4.5",
  code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  clock: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8M8 4.5V8l2.5 1.6",
  download: "M8 2v7.5M4.8 6.6 8 9.8l3.2-3.2M2.5 13.5h11",
  flask: "M6 2v4.2L2.8 12a1.3 1.3 0 0 0 1.1 2h8.2a1.3 1.3 0 0 0 1.1-2L10 6.2V2M4.8 2h6.4M4.6 9.5h6.8",
  key: "M8.3 7.7 14 2M11 5l2 2M2.2 10.8a3.3 3.3 0 1 1 6.6 0 3.3 3.3 0 0 1-6.6 0",
  menu: "M2 5h12M2 11h12",
  page: "M4 1.8h5.5L12.5 5v9.2H4ZM9.2 2v3.3h3.2",
  play: "M5 3.2v9.6L12.5 8Z",
  ring: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2",
  warning: "M8 2.2 14.4 13.4H1.6ZM8 6.5v3.2M8 11.6v.1",
  search: "M7 2.2a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6m3.5 8.3L14 14",
};

export type IconName = keyof typeof drawings;

/** An icon beside words with the same meaning. */
export function icon(name: IconName): Html {
  return trusted(
    `<svg class="icon ${name}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${drawings[name]}"/></svg>`,
  );
}
