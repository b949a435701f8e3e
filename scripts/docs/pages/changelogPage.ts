import type { Changelog } from "../../contract/changelog.ts";
import { section } from "../parts/blocks.ts";
import { html, screenOnly } from "../parts/html.ts";
import type { Page } from "../parts/page.ts";
import { renderDescription } from "../parts/renderDescription.ts";
import { firstLevel } from "../model/site.ts";

/** The releases of the contract, the newest first. A site whose address is known has a feed of them, too. */
export function changelogPage({ introduction, entries }: Changelog, hasFeed: boolean): Page {
  return {
    ...firstLevel.changelog,
    description: "What has changed in the contract, release by release.",
    content: html`<h1>Changelog</h1>
      ${renderDescription(introduction.replace(/^# .*/, "").trim())}
      ${hasFeed && html`<p ${screenOnly}><a href="feed.xml">Releases as an Atom feed</a></p>`}
      ${entries.map(({ heading, text }) => section(entryAnchor(heading), heading, renderDescription(text)))}`,
  };
}

/** The anchor of an entry on the page: `release-0.2.0`. */
export function entryAnchor(heading: string): string {
  return `release-${heading.replace(/[\s(].*/, "").toLowerCase()}`;
}
