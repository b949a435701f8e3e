import type { TextFile } from "../../command/files.ts";
import { changelogFile, type Changelog } from "../../contract/changelog.ts";
import { escapeXml } from "../../values/text.ts";
import { forScreen, section } from "../parts/blocks.ts";
import { html } from "../../values/html.ts";
import type { Page } from "../parts/page.ts";
import { readDescription } from "../parts/readDescription.ts";
import { writeHtml } from "../parts/writeHtml.ts";
import { firstLevel, type Site } from "../model/site.ts";
import { screenOnly } from "../parts/pageNodes.ts";

/** The releases of the contract, the newest first. A site with a known address also has a feed. */
export function changelogPage({ introduction, entries }: Changelog, hasFeed: boolean): Page {
  const [title = "", ...others] = introduction.split("\n");
  const text = title.startsWith("# ") ? others.join("\n").trim() : introduction;
  const feed = hasFeed ? [feedLink] : [];
  const releases = entries.map((entry) =>
    section(entryAnchor(entry.heading), entry.heading, readDescription(entry.text)),
  );
  return {
    ...firstLevel.changelog,
    description: "The changes of the contract, release by release.",
    source: { file: changelogFile, line: 1 },
    children: [...readDescription(text), ...feed, ...releases],
  };
}

const feedLink = forScreen(html`<p ${screenOnly}><a href="feed.xml">Releases as an Atom feed</a></p>`);

/** The releases as an Atom feed (RFC 4287). Empty if there are none, or if the site's URL is unknown. */
export function changelogFeed({ title, url, changelog }: Site): readonly TextFile[] {
  if (url === undefined || changelog === undefined) return [];
  const page = `${url}${firstLevel.changelog.path}`;
  const releases = changelog.entries.flatMap(({ heading, version, date, text }) =>
    version === undefined || date === undefined ? [] : [{ heading, version, text, updated: `${date}T00:00:00Z` }],
  );
  const items = releases.map(({ heading, version, text, updated }) => {
    const link = escapeXml(`${page}#${entryAnchor(heading)}`);
    return `  <entry>
    <id>${link}</id>
    <title>${escapeXml(version)}</title>
    <updated>${updated}</updated>
    <link href="${link}"/>
    <content type="html">${escapeXml(writeHtml(readDescription(text)).toString())}</content>
  </entry>`;
  });
  const content = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escapeXml(page)}</id>
  <title>${escapeXml(`${title}: releases`)}</title>
  <author><name>${escapeXml(title)}</name></author>
  <updated>${releases[0]?.updated ?? "1970-01-01T00:00:00Z"}</updated>
  <link href="${escapeXml(page)}"/>
  <link rel="self" href="${escapeXml(page)}feed.xml"/>
${items.join("\n")}
</feed>
`;
  return [{ path: `${firstLevel.changelog.path}feed.xml`, content }];
}

/** The anchor of an entry on the page: `release-0.2.0`. */
function entryAnchor(heading: string): string {
  const [version = ""] = heading.split(" ");
  return `release-${version.toLowerCase()}`;
}
