import { describe, expect, it } from "vitest";
import { codeBlock } from "../../scripts/docs/parts/highlight.ts";

/** The parts of a source that have colours, each after its class. */
function partsOf(source: string, language: string): readonly string[] {
  const markup = String(codeBlock(source, language, "Sample"));
  return [...markup.matchAll(/<span class="code-(\w+)">([^<]*)<\/span>/g)].map(([, name, text]) => `${name} ${text}`);
}

describe("blocks of code", () => {
  it.each([
    [
      "json",
      '{ "a": "b", "c": [-1.5e3, true] }',
      ['quiet "a"', 'string "b"', 'quiet "c"', "number 1.5e3", "keyword true"],
    ],
    ["ts", "// why\nawait run({ id: 7 });", ["quiet // why", "keyword await", "quiet id", "number 7"]],
    ["js", "if (!a.ok) throw `x${1}`", ["keyword if", "quiet ok", "keyword throw", "string `x${1}`"]],
    ["Python", "print(f'a', None) # b", ["string f'a'", "keyword None", "quiet # b"]],
    ["curl", "curl -d '{\n}' https://a.example/#b", ["string '{\n}'"]],
    ["cobol", 'DISPLAY "a".', []],
  ])("mark the parts of %s", (language, source, parts) => {
    expect(partsOf(source, language)).toEqual(parts);
  });

  it("folds what precedes the call, and copies it with the rest", () => {
    const source = 'import { a } from "b";\n\nawait a();';
    const markup = String(codeBlock(source, "ts", "Sample", source.indexOf("await")));
    const [folded = "", shown] = markup.split("</details>");
    const textOf = (part = "") => part.replaceAll(/<[^>]*>/g, "");
    expect(folded).toContain('<details class="setup">');
    expect(textOf(folded)).toBe('import { a } from "b";\n\n');
    expect(textOf(shown)).toBe("await a();");
  });

  it("breaks URLs and paths into lines, but no other text with a slash", () => {
    const markup = (value: string) => String(codeBlock(JSON.stringify({ value }), "json", "Example"));
    expect(markup("https://example.com/a/b")).toContain("<wbr>/b");
    expect(markup("/v2/teams/{teamId}/x")).toContain("<wbr>/x");
    expect(markup("Europe/Stockholm")).not.toContain("<wbr>");
  });

  it("contain the whole source, escaped", () => {
    const source = "const a = b < c && d > `<b>&amp;${e}`; // </code>";
    const markup = String(codeBlock(source, "typescript", "Sample"));
    const text = markup
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    expect(text).toBe(source);
  });
});
