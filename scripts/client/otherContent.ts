import type { OtherContent } from "./clientContract.ts";
import { writeJson } from "./serialize.ts";

const anyBytes = "application/octet-stream";
/** JSON, but not `application/x-ndjson`. */
const json = /[/+]json\b/i;

/** Bodies that are not JSON: forms, files and texts. */
export const otherContent: OtherContent = {
  write,
  correctType,
  readingOf({ headers }, { reads = [] }) {
    const type = headers.get("content-type")?.toLowerCase() ?? "";
    return reads.find(([start]) => type.startsWith(start))?.[1] ?? "json";
  },
};

function write(body: unknown, headers?: Headers): FormData | Blob | string {
  if (body instanceof FormData || body instanceof Blob) return body;
  const type = headers?.get("content-type") ?? "";
  if (typeof body === "string" && !json.test(type)) return body;
  if (body instanceof URLSearchParams) return String(body);
  const members = typeof body === "object" ? Object.entries<unknown>({ ...body }) : [];
  const parts = members.flatMap(([name, value]) => [value].flat().map((part) => [name, part] as const));
  if (type === "application/x-www-form-urlencoded") {
    const sent = parts.filter(([, part]) => part !== undefined);
    return String(new URLSearchParams(sent.map(([name, part]) => [name, String(part)])));
  }
  const isForm = type.startsWith("multipart/") || parts.some(([, part]) => part instanceof Blob);
  return isForm ? writeForm(parts) : writeJson(body);
}

function correctType(headers: Headers, body: unknown): void {
  const name = "content-type";
  const type = headers.get(name) ?? "";
  if (body instanceof FormData) headers.delete(name);
  else if (body instanceof Blob && (type.includes("*") || json.test(type))) headers.set(name, body.type || anyBytes);
}

/** Parts other than files and text are JSON. */
function writeForm(parts: readonly (readonly [name: string, part: unknown])[]): FormData {
  const form = new FormData();
  for (const [name, part] of parts) {
    if (part instanceof Blob) form.append(name, part);
    else if (part !== undefined) form.append(name, typeof part === "string" ? part : writeJson(part));
  }
  return form;
}
