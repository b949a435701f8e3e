import type { MediaType, Operation, Response } from "../contract/generation.ts";
import { asciiSlugOf } from "../values/text.ts";
import { fileSchemas, isBinaryContent, isMultipart } from "../spec/binary.ts";
import { fileNameIn } from "../spec/headerFields.ts";
import { stringOf, valueAt } from "../values/json.ts";
import { essenceOf } from "../spec/mediaTypes.ts";
import { inBrackets, literal, literalAt, objectText, type LinePlace } from "./javaScriptText.ts";

/** A file in a request, or the file that a response is saved to. */
export interface SampleFile {
  readonly name: string;
  readonly mediaType: string;
}

/**
 * Files in a request's body by the names of their parts. A part may have several. The name of the whole body
 * is "".
 */
export type SampleFiles = Readonly<Record<string, SampleFile>>;

/** The content of files in samples if the contract has no example. */
export const fileContent = "An example file.\n";

/** The file in a part of a body, whose name may be that of a prototype's member. */
export function fileAt(files: SampleFiles, name: string): SampleFile | undefined {
  return Object.hasOwn(files, name) ? files[name] : undefined;
}

/** The files in a request's body. */
export function filesIn({ document, path }: Operation, content: MediaType): SampleFiles {
  const { mediaType, schema, encoding } = content;
  if (isBinaryContent(document, content)) return { "": fileOf(nameIn(path), mediaType) };
  if (!isMultipart(mediaType)) return {};
  const files = [...fileSchemas(document, schema)].map(([name, file]) => {
    const described = stringOf(valueAt(file, ["contentMediaType"]));
    return [name, fileOf(name, encoding.get(name)?.contentType ?? described ?? "")] as const;
  });
  return Object.fromEntries(files);
}

/**
 * The file that a response is saved to. Its name comes from `Content-Disposition` in the contract, if that
 * has one.
 */
export function savedFile({ path }: Operation, { headers, content }: Response): SampleFile {
  const header = headers.find(({ name }) => name.toLowerCase() === "content-disposition");
  const file = fileOf(nameIn(path), content[0]?.mediaType ?? "");
  return { ...file, name: fileNameIn(String(header?.example)) ?? file.name };
}

/** The last path segment that isn't a parameter. */
function nameIn(path: string): string {
  const segments = path.split("/").filter((segment) => segment !== "" && !segment.includes("{"));
  return segments.at(-1) ?? "file";
}

/** A file of the first media type. For a range, it has one of the range's types. */
function fileOf(name: string, mediaTypes: string): SampleFile {
  const declared = essenceOf(mediaTypes.split(",", 1).join()).replace("image/*", "image/png");
  const isRange = declared === "" || declared.endsWith("*");
  const mediaType = isRange ? "application/octet-stream" : declared;
  return { name: `${asciiSlugOf(name) || "file"}.${extensionOf(mediaType)}`, mediaType };
}

const extensions: Readonly<Record<string, string>> = { plain: "txt", calendar: "ics", mpeg: "mp3", jpeg: "jpg" };

/** The usual file extension of a media type. Mostly, it's the subtype. */
function extensionOf(mediaType: string): string {
  const [, subtype = ""] = mediaType.split("/");
  return extensions[subtype] ?? (/^[a-z\d]{2,4}$/.test(subtype) ? subtype : "bin");
}

/** A body in JavaScript, with files as objects. */
export function valueWithFiles(value: unknown, files: SampleFiles, place?: LinePlace): string {
  const whole = files[""];
  if (whole !== undefined) return fileText(value, whole);
  const members = Object.entries({ ...(typeof value === "object" && value) }).map(
    ([name, member]: [string, unknown]): readonly [string, string] => {
      const file = fileAt(files, name);
      if (file === undefined) return [name, literal(member)] as const;
      if (!Array.isArray(member)) return [name, fileText(member, file)] as const;
      const items = member.map((one) => fileText(one, file));
      return [name, inBrackets("[", items, "]")] as const;
    },
  );
  return Object.keys(files).length === 0 ? literalAt(place, value) : objectText(Object.fromEntries(members));
}

/** A file in JavaScript. If it was chosen in a form, it has that file's name and type. */
export function fileText(content: unknown, file: SampleFile): string {
  const { name, mediaType } = content instanceof File ? { name: content.name, mediaType: content.type } : file;
  const parts = [literal([typeof content === "string" ? content : fileContent]), literal(name)];
  return inBrackets("new File(", [...parts, `{ type: ${literal(mediaType)} }`], ")");
}
