import type { Generation } from "../../contract/generation.ts";
import { html, type Html } from "../../values/html.ts";
import { icon } from "../parts/icon.ts";
import { inventedText, responsePayload, runBar, targetParagraph } from "../parts/samplesPanel.ts";
import { generationLink } from "../model/addresses.ts";
import { findFirstCall, firstCallId } from "../model/firstCall.ts";
import { commonIntroduction } from "../model/generationModel.ts";
import { guideSection, type GuideSection } from "./guidesPage.ts";
import { groupLink, operationLink } from "../parts/operationLinks.ts";
import { code, division, forScreen, link, paragraph, repeated, section } from "../parts/blocks.ts";
import { rootMark, screenOnly, type Flow, type ListItem, type Panel, type SectionNode } from "../parts/pageNodes.ts";
import type { Page } from "../parts/page.ts";
import { firstLevel, type Site } from "../model/site.ts";

/** How many guides and tasks are listed here, and how many groups of a generation, with how many operations of each. */
const [maximumGuides, maximumTasks, maximumGroups, maximumTitles] = [3, 6, 12, 3];

/** The guides of a site: those of each top-level page, and the tasks. */
export interface SiteGuides {
  readonly explanations: readonly Page[];
  readonly tasks: readonly Page[];
  readonly sections: readonly GuideSection[];
}

/** The site's start page: a first call, commands, the groups of operations, the tasks, and the client. */
export function startPage(site: Site, guides: SiteGuides): Page {
  const { explanations, tasks, sections } = guides;
  const { title, generations } = site;
  const introduction = commonIntroduction(generations);
  const lead = introduction === "" ? [] : [paragraph([introduction], "lead")];
  const firstTasks = guideSection("tasks", "Tasks", tasks.slice(0, maximumTasks));
  const more = tasks.length > maximumTasks ? [allGuides] : [];
  const first = [...explanations.slice(0, maximumGuides), ...sections.map(({ page }) => page)];
  const [begin] = explanations;
  const [newest] = generations;
  return {
    path: "",
    title,
    description: introduction || title,
    overview: [...lead, forScreen(ways(begin, newest)), ...firstCall(site), ...commands(site)],
    children: [
      ...generations.flatMap(groupTiles),
      ...guideSection("start", "Start here", first),
      ...firstTasks,
      ...more,
    ],
  };
}

/** Buttons for the first steps. */
function ways(begin: Page | undefined, newest: Generation | undefined): Html {
  return html`<p class="ways" ${screenOnly}>
    ${begin && html`<a class="button primary" href="${rootMark}${begin.path}">${begin.title} ${icon("arrow")}</a>`}
    ${newest && html`<a class="button" href="${rootMark}${newest.name}/">Browse ${newest.name}</a>`}
  </p>`;
}

const allGuides = repeated(paragraph([link({ title: "All guides", path: firstLevel.guides.path })]));

/** The groups of a generation, each with its operations. Empty if there are no operations. */
function groupTiles(generation: Generation): readonly SectionNode[] {
  const { name, groups } = generation;
  const filled = groups.filter(({ operations }) => operations.length > 0);
  if (filled.length === 0) return [];
  const items = filled.slice(0, maximumGroups).map((group): ListItem => {
    const titles = group.operations.slice(0, maximumTitles).map(({ title }) => title);
    const others = group.operations.length - titles.length;
    return {
      children: [groupLink(generation, group)],
      sentence: titles.join(" · ") + (others === 0 ? "" : ` · ${String(others)} more`),
    };
  });
  const all = link({ title: `All of ${name}`, path: generationLink(generation).path });
  const tiles = { kind: "list", className: "tasks", items, isRepeated: true } as const;
  return [section(`groups-${name}`, `Operations of ${name}`, [tiles, repeated(paragraph([all]))])];
}

/** Commands that install the client and run the mock. Empty if there is no package. */
function commands({ packageName }: Site): Flow {
  if (packageName === undefined) return [];
  const sources = { "Install the client": `npm install ${packageName}`, "Run the mock": `npx ${packageName} mock` };
  const panels = Object.entries(sources).map(([label, source]): Panel => {
    return {
      kind: "panel",
      caption: [label],
      isHeading: false,
      code: { kind: "codeBlock", source, language: "bash", label },
    };
  });
  return [division("commands", ...panels)];
}

/** A request that anyone can send without preparation, with its response: the shortest one that is read-only. */
function firstCall(site: Site): readonly SectionNode[] {
  const call = findFirstCall(site);
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
