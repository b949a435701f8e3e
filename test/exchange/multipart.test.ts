import { expect, test } from "vitest";
import { readMediaType } from "../../scripts/exchange/contentType.ts";
import { readMultipart } from "../../scripts/exchange/forms.ts";

const named = 'Content-Disposition: form-data; name="title"';

test.each([
  ["a form with other ends of lines", `--X\n${named}\n\nPlan\n--X--\n`],
  ["a part without a name", "--X\r\nContent-Disposition: form-data\r\n\r\nPlan\r\n--X--\r\n"],
  ["a form without its last boundary", `--X\r\n${named}\r\n\r\nPlan\r\n`],
])("%s is refused with what may be missing", (_, text) => {
  const type = readMediaType("multipart/form-data; boundary=X");
  if (type === undefined) throw new Error("no media type");
  const answer = JSON.stringify(readMultipart(new TextEncoder().encode(text), type));
  expect(answer).toContain('"status":400');
  expect(answer).toContain("each part needs a name, lines end with CRLF, and the last boundary ends with --");
});
