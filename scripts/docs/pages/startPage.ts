import type { Generation } from "../../contract/generation.ts";
import { html, rootMark, screenOnly, type Html } from "../parts/html.ts";
import { icon } from "../parts/icon.ts";
import { inventedText, responsePayload, targetParagraph } from "../parts/samplesPanel.ts";
import { findFirstCall, firstCallId } from "../model/firstCall.ts";
import { commonIntroduction, type GenerationModel } from "../model/generationModel.ts";
import { listUnspecified } from "../model/unspecifiedEntries.ts";
import { guideSection, type GuideSection } from "./guidesPage.ts";
import { operationLink } from "../parts/operationLinks.ts";
import { runBar } from "../parts/runBar.ts";
import { code, forScreen, link, paragraph, repeated, section } from "../parts/blocks.ts";
import type { Block, Flow, ListItem, Mark, SectionNode } from "../parts/pageNodes.ts";
import type { Page } from "../parts/page.ts";
import { firstLevel, type PageLink, type Site } from "../model/site.ts";

/** How many guides and tasks are listed here. */
const [maximumGuides, maximumTasks] = [3, 6];

/** The guides of a site: those of each top-level page, and the tasks. */
export interface SiteGuides {
  readonly explanations: readonly Page[];
  readonly tasks: readonly Page[];
  readonly sections: readonly GuideSection[];
}

/** The site's start page: a first call, the tasks, and the client. */
export function startPage(site: Site, contents: readonly GenerationModel[], guides: SiteGuides): Page {
  const { explanations, tasks, sections } = guides;
  const { title, generations } = site;
  const introduction = commonIntroduction(generations);
  const lead = introduction === "" ? [] : [paragraph([introduction], "lead")];
  const gaps = contents.flatMap(listUnspecified).length;
  const firstTasks = guideSection("tasks", "Tasks", tasks.slice(0, maximumTasks));
  const more = tasks.length > maximumTasks ? [allGuides] : [];
  const client = sections.slice(0, 1).map(({ page }) => page);
  const [begin] = explanations;
  const [newest] = generations;
  return {
    path: "",
    title,
    description: introduction || title,
    overview: [...lead, forScreen(ways(begin, newest)), ...firstCall(site, contents)],
    children: [
      numberList(site, gaps, tasks.length > 0),
      ...guideSection("start", "Start here", [...explanations.slice(0, maximumGuides), ...client]),
      ...firstTasks,
      ...more,
      ...sections.flatMap(sectionStart),
    ],
  };
}

/** The first guides on a subject. */
function sectionStart({ name, page, guides }: GuideSection): Flow {
  const all = repeated(paragraph([link({ title: `All of “${page.title}”`, path: page.path })]));
  const first = guideSection(name, page.title, guides.slice(0, maximumTasks));
  return guides.length > maximumTasks ? [...first, all] : first;
}

/** Buttons for the first steps. */
function ways(begin: Page | undefined, newest: Generation | undefined): Html {
  return html`<p class="ways" ${screenOnly}>
    ${begin && html`<a class="button primary" href="${rootMark}${begin.path}">${begin.title} ${icon("arrow")}</a>`}
    ${newest && html`<a class="button" href="${rootMark}${newest.name}/">Browse ${newest.name}</a>`}
  </p>`;
}

const allGuides = repeated(paragraph([link({ title: "All guides", path: firstLevel.guides.path })]));

/** The number of pages of each kind, with links. */
function numberList({ generations, topPages }: Site, gaps: number, hasTasks: boolean): Block {
  const items = generations.map(({ name, summary, operations }) =>
    numberItem({ title: `operations in ${name}`, path: `${name}/` }, operations.length, summary),
  );
  const { guides: guidesLink, unspecified } = firstLevel;
  if (hasTasks) {
    const sentence = "Tasks from the first request to the last, the client, and tests against the mock.";
    const count = topPages.flatMap(({ pages = [] }) => pages).length;
    items.push(numberItem({ title: "guides", path: guidesLink.path }, count, sentence));
  }
  if (gaps > 0) {
    const sentence = "Gaps in the contract, marked at each place.";
    items.push(numberItem({ title: "details not specified", path: unspecified.path }, gaps, sentence));
  }
  return { kind: "list", className: "numbers", items };
}

function numberItem({ title, path }: PageLink, count: number, sentence: string): ListItem {
  const number: Mark = { kind: "mark", tag: "b", className: "number", children: [String(count)] };
  const label: Mark = { kind: "mark", tag: "span", children: [title] };
  return { children: [link({ title: [number, " ", label], path })], sentence };
}

/** A request that anyone can send without preparation, with its response: the shortest one that is read-only. */
function firstCall(site: Site, contents: readonly GenerationModel[]): readonly SectionNode[] {
  const call = findFirstCall(site, contents);
  if (call === undefined) return [];
  const { generation, operation, source, response } = call;
  const { isMock, url } = site.serverOf(operation);
  const server = isMock ? ["the mock server, which ", code("npm start"), " runs"] : ["the server"];
  const children: Flow = [
    {
      kind: "panel",
      caption: [{ kind: "method", method: operation.method }, " ", ...operationLink(generation, operation)],
      isHeading: false,
      code: { kind: "codeBlock", source, language: "bash", label: "A first call with curl" },
    },
    ...runBar(site, firstCallId, "Run this request"),
    ...responsePayload(response),
    targetParagraph(["curl sends the request to ", ...server, " at ", code(url), `. ${inventedText}`]),
  ];
  const frame = { tag: "section", attributes: { class: firstCallId, "aria-labelledby": firstCallId } } as const;
  return [{ ...section(firstCallId, "A first call", children), frame, isHeadingHidden: true }];
}
