import type { MediaType, Operation, Response } from "../contract/generation.ts";
import { slugOf } from "../contract/text.ts";
import { fileSchemas, isBinaryContent, isMultipart } from "../spec/binary.ts";
import { fileNameIn } from "../spec/headerFields.ts";
import { stringOf, valueAt } from "../spec/json.ts";
import { essenceOf } from "../spec/mediaTypes.ts";
import { inBrackets, literal, literalAt, objectText, type LinePlace } from "./javaScriptText.ts";

/** A file that a request sends, or that a response is saved as. */
export interface SampleFile {
  readonly name: string;
  readonly mediaType: string;
}

/** Files in a request's body by the names of their parts, which may have several; "" is that of the whole body. */
export type SampleFiles = Readonly<Record<string, SampleFile>>;

/** What files contain in samples, where the contract has no example. */
export const fileContent = "An example file.\n";

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

/** The file that a response is saved as: by the name that its `Content-Disposition` has in the contract, if there is one. */
export function savedFile({ path }: Operation, { headers, content }: Response): SampleFile {
  const header = headers.find(({ name }) => name.toLowerCase() === "content-disposition");
  const file = fileOf(nameIn(path), content[0]?.mediaType ?? "");
  return { ...file, name: fileNameIn(String(header?.example)) ?? file.name };
}

/** The last part of a path that is no parameter. */
function nameIn(path: string): string {
  const segments = path.split("/").filter((segment) => segment !== "" && !segment.includes("{"));
  return segments.at(-1) ?? "file";
}

/** A file of the first of some media types; of a range, one of the types in it. */
function fileOf(name: string, mediaTypes: string): SampleFile {
  const declared = essenceOf(mediaTypes.split(",", 1).join()).replace("image/*", "image/png");
  const isRange = declared === "" || declared.endsWith("*");
  const mediaType = isRange ? "application/octet-stream" : declared;
  return { name: `${slugOf(name) || "file"}.${extensionOf(mediaType)}`, mediaType };
}

const extensions: Readonly<Record<string, string>> = { plain: "txt", calendar: "ics", mpeg: "mp3", jpeg: "jpg" };

/** The usual end of a file's name: most media types have it for a subtype. */
function extensionOf(mediaType: string): string {
  const [, subtype = ""] = mediaType.split("/");
  return extensions[subtype] ?? (/^[a-z\d]{2,4}$/.test(subtype) ? subtype : "bin");
}

/** The value of a body as JavaScript writes it at a place: its files are objects. */
export function valueWithFiles(value: unknown, files: SampleFiles, place?: LinePlace): string {
  const whole = files[""];
  if (whole !== undefined) return fileText(value, whole);
  const members = Object.entries({ ...(typeof value === "object" && value) }).map(
    ([name, member]: [string, unknown]): readonly [string, string] => {
      const file = files[name];
      if (file === undefined) return [name, literal(member)] as const;
      if (!Array.isArray(member)) return [name, fileText(member, file)] as const;
      const items = member.map((one) => fileText(one, file));
      return [name, inBrackets("[", items, "]")] as const;
    },
  );
  return Object.keys(files).length === 0 ? literalAt(place, value) : objectText(Object.fromEntries(members));
}

/** A file in JavaScript. Of one that was chosen in a form, it has the name and the type. */
export function fileText(content: unknown, file: SampleFile): string {
  const { name, mediaType } = content instanceof File ? { name: content.name, mediaType: content.type } : file;
  const parts = [literal([typeof content === "string" ? content : fileContent]), literal(name)];
  return inBrackets("new File(", [...parts, `{ type: ${literal(mediaType)} }`], ")");
}
