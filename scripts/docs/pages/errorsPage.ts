import { flattenFields } from "../model/fields.ts";
import { ownTitle, type GenerationModel } from "../model/generationModel.ts";
import { firstLevel, type Site } from "../model/site.ts";
import { columns, paragraph, section } from "../parts/blocks.ts";
import { descriptionFlow } from "../parts/descriptionSections.ts";
import { unspecifiedMark } from "../parts/fieldList.ts";
import type { Row, Table } from "../parts/pageNodes.ts";
import { placeLinks } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { readDescription } from "../parts/readDescription.ts";
import { groupBy } from "../../contract/text.ts";

/** What the contract says of failures, and what it leaves open. `notes`, in Markdown, tell of the client and the mock. */
export function errorsPage(site: Site, contents: readonly GenerationModel[], notes: string): Page {
  return {
    ...firstLevel.errors,
    description: "What is specified about failures, which errors the client throws, and how the mock refuses requests.",
    children: [
      paragraph([
        "What is specified about failures, what the TypeScript client makes of them, and when the mock fails a request.",
      ]),
      ...contents.map((content) => {
        const { generation } = content;
        const described = descriptionFlow(site, generation, firstLevel.errors);
        return section(generation.name, ownTitle(generation, site.generations), [...described, failures(content)]);
      }),
      ...readDescription(notes, 1),
    ],
  };
}

/** Stands for the failures of an operation that lists none. */
const unlisted = { status: "none listed", anchor: "responses", description: "", unspecified: [], media: [] };

/** The failures that a generation's operations list: those of the same status and description are one. */
function failures({ generation, operations }: GenerationModel): Table {
  const uses = generation.operations.flatMap((operation) => {
    const own = operations.get(operation)?.responses.filter(({ status }) => !isSuccess(status)) ?? [];
    return (own.length === 0 ? [unlisted] : own).map((response) => ({ operation, ...response }));
  });
  const others = uses.some(({ status }) => status !== "default") ? "any other" : "any";
  const rows: Row[] = [];
  for (const same of groupBy(uses, ({ status, description }) => `${status}\n${description}`).values()) {
    const { status = "", description = "" } = same[0] ?? {};
    const fields = flattenFields(same.flatMap(({ media }) => media.map(({ field }) => field)));
    const gaps = new Set([...same, ...fields].flatMap(({ unspecified }) => unspecified));
    const meaning = [...readDescription(description, 3), ...unspecifiedMark([...gaps])];
    rows.push({
      cells: [
        { children: [status === "default" ? others : status], scope: "row" },
        { children: meaning },
        { children: placeLinks(generation, same) },
      ],
    });
  }
  return { kind: "table", className: "stacked", titles: columns("Status", "Meaning", "Operations"), rows };
}

/** Whether a status, or a range of them, is no failure. */
function isSuccess(status: string): boolean {
  return ["1", "2", "3"].includes(status.charAt(0));
}
