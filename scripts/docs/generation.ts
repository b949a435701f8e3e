import { isObject, type Document } from "../contract/document.ts";
import { prepareForDocs } from "./prepare.ts";

/** A generation of the interface as the site shows it. */
export interface DocumentedGeneration {
  /** Its name, which is also the name of its folder. */
  readonly name: string;
  /** The bundle. */
  readonly document: Document;
  /** The bundle with notes and samples: see `prepareForDocs`. */
  readonly prepared: Document;
  readonly title: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
}

/** `packageName` is the npm package whose client the samples import. */
export function documentGeneration(name: string, document: Document, packageName: string): DocumentedGeneration {
  const info: unknown = document.info;
  const { title = name, summary, description = "" } = isObject(info) ? info : {};
  return {
    name,
    document,
    prepared: prepareForDocs(document, `${packageName}/${name}`),
    title: String(title),
    summary: typeof summary === "string" ? summary : firstParagraph(String(description)),
    description: String(description),
  };
}

/** What the generations' titles begin with alike, in whole words. */
export function commonTitle(generations: readonly DocumentedGeneration[]): string {
  const titles = generations.map(({ title }) => title.split(" "));
  const [first = [], ...others] = titles;
  const length = first.findIndex((word, index) => others.some((other) => other[index] !== word));
  return (length > 0 ? first.slice(0, length) : first).join(" ");
}

/** What the generations' descriptions begin with alike, in whole sentences; the first paragraph's where that is nothing. */
export function commonIntroduction(generations: readonly DocumentedGeneration[]): string {
  const [first = [], ...others] = generations.map(({ description }) => sentences(firstParagraph(description)));
  const length = first.findIndex((sentence, index) => others.some((other) => other[index] !== sentence));
  return (length > 0 ? first.slice(0, length) : first).join(" ");
}

/** The part of a generation's description before its first heading, without what all generations begin with. */
export function ownIntroduction({ description }: DocumentedGeneration, common: string): string {
  const [text = ""] = description.split(/^#/m);
  const words = common.split(" ").map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return text.replace(new RegExp(String.raw`^\s*${words.join(String.raw`\s+`)}\s*`), "").trim() || text.trim();
}

/** The first paragraph of a description, on one line and without Markdown's marks. */
export function firstParagraph(description = ""): string {
  const [paragraph = ""] = description.split(/\n\s*\n/);
  return paragraph.replaceAll(/\s+/g, " ").replaceAll(/[*`]/g, "").trim();
}

function sentences(text: string): readonly string[] {
  return text.split(/(?<=[.!?]) /);
}
