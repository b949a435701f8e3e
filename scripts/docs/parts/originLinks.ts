import type { HtmlSite, Origin, SourcePlace } from "../model/site.ts";
import { html, type Html } from "../../values/html.ts";
import type { Page } from "./page.ts";

/**
 * Links that report a mistake in a page and open its source, if the repository is known. The report has the names of the
 * page and of the source, and nothing that a reader has entered.
 */
export function originLinks({ origin, url = "" }: HtmlSite, page: Page): Html | undefined {
  if (origin === undefined) return undefined;
  const { repository, folder } = origin;
  const place = placeOf(origin, page);
  const written = place && `${folder}${place.file}:${String(place.line)}`;
  const fields = new URLSearchParams({
    template: page.generation === undefined ? "docs.yml" : "contract.yml",
    title: `${page.title}: `,
    page: url + page.path,
    ...(written !== undefined && { place: written }),
  });
  const source = place && `${repository}/blob/HEAD/${encodeURI(folder + place.file)}#L${String(place.line)}`;
  return html`<a href="${repository}/issues/new?${String(fields)}">Report an inaccuracy</a>
    ${source && html`<a href="${source}">Edit the source: <code>${written}</code></a>`}`;
}

function placeOf({ placeOf: find }: Origin, { generation, source }: Page): SourcePlace | undefined {
  if (typeof source !== "string") return source;
  return generation && find(generation.name, source);
}
