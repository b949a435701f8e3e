import { readFileSync } from "node:fs";
import { flattenFields } from "../model/fields.ts";
import { ownTitle, type GenerationModel } from "../model/generationModel.ts";
import { firstLevel, type Site } from "../model/site.ts";
import { paragraph, row, section, table } from "../parts/blocks.ts";
import { descriptionFlow } from "../parts/descriptionSections.ts";
import { unspecifiedMark } from "../parts/fieldList.ts";
import type { Table } from "../parts/pageNodes.ts";
import { placeLinks } from "../parts/operationLinks.ts";
import type { Page } from "../parts/page.ts";
import { readDescription } from "../parts/readDescription.ts";
import { isDefaultStatus, isFailureStatus } from "../../spec/statusKeys.ts";
import { groupBy } from "../../values/collections.ts";

/** The contract's facts about failures, and its gaps, with notes about the mock, and about the client if there is one. */
export function errorsPage(site: Site): Page {
  const hasClient = site.packageName !== undefined;
  const lead =
    (site.contents.some(listsFailures) ? "The specified failures. " : "No failures are specified. ") +
    (hasClient ? "What the client throws, and which statuses the mock uses." : "Which statuses the mock uses.");
  return {
    ...firstLevel.errors,
    description: lead,
    children: [
      paragraph([lead]),
      ...site.contents.map((content) => {
        const { generation } = content;
        const described = descriptionFlow(site, generation, firstLevel.errors);
        return section(generation.name, ownTitle(generation, site.generations), [...described, failures(content)]);
      }),
      ...readDescription(hasClient ? `${readNotes("client")}\n${readNotes("mock")}` : readNotes("mock"), 1),
    ],
  };
}

/** Text beside this module, in Markdown. */
function readNotes(about: "client" | "mock"): string {
  return readFileSync(new URL(`errors.${about}.md`, import.meta.url), "utf8");
}

/** Returns whether an operation lists the status of a failure, or a range of them, besides `default`. */
function listsFailures({ operations }: GenerationModel): boolean {
  const statuses = [...operations.values()].flatMap(({ responses }) => responses.map(({ status }) => status));
  return statuses.some(isFailureStatus);
}

/** Represents the failures of an operation that lists none. */
const unlisted = { status: "none listed", anchor: "responses", description: "", unspecified: [], media: [] };

/** The failures in a generation's operations. Those with the same status and description are merged. */
function failures({ generation, operations }: GenerationModel): Table {
  const uses = generation.operations.flatMap((operation) => {
    const own =
      operations.get(operation)?.responses.filter(({ status }) => isFailureStatus(status) || isDefaultStatus(status)) ??
      [];
    return (own.length === 0 ? [unlisted] : own).map((response) => ({ operation, ...response }));
  });
  const others = uses.some(({ status }) => !isDefaultStatus(status)) ? "any other" : "any";
  const alike = groupBy(uses, ({ status, description }) => `${status}\n${description}`);
  const rows = Array.from(alike.values(), (same) => {
    const { status = "", description = "" } = same[0] ?? {};
    const fields = flattenFields(same.flatMap(({ media }) => media.map(({ field }) => field)));
    const gaps = new Set([...same, ...fields].flatMap(({ unspecified }) => unspecified));
    const meaning = [...readDescription(description, 3), ...unspecifiedMark([...gaps])];
    return row([isDefaultStatus(status) ? others : status], [meaning, placeLinks(generation, same)]);
  });
  return table("stacked", ["Status", "Meaning", "Operations"], rows);
}
