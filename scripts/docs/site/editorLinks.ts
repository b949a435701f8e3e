import { parse, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isDigits, splitOnce } from "../../values/text.ts";

interface FilePlace {
  readonly file: URL;
  readonly line: string;
  readonly column: string;
}

type LinkTo = (place: FilePlace) => string;

const withPath =
  (scheme: string): LinkTo =>
  ({ file, line, column }) =>
    `${scheme}://file${file.pathname}:${line}:${column}`;

const withQuery =
  (scheme: string, parameter: string, valueOf: (file: URL) => string): LinkTo =>
  ({ file, line, column }) =>
    `${scheme}://open?${String(new URLSearchParams({ [parameter]: valueOf(file), line, column }))}`;

const pathOf = (file: URL) => decodeURIComponent(file.pathname);

/** The addresses that open a file in an editor, by the name of the editor's command. */
const editors: Readonly<Record<string, LinkTo>> = {
  code: withPath("vscode"),
  "code-insiders": withPath("vscode-insiders"),
  codium: withPath("vscodium"),
  cursor: withPath("cursor"),
  windsurf: withPath("windsurf"),
  zed: withPath("zed"),
  idea: withQuery("idea", "file", pathOf),
  webstorm: withQuery("webstorm", "file", pathOf),
  mate: withQuery("txmt", "url", String),
};

/** The variables that name an editor's command, in order of precedence. */
const variables = ["LAUNCH_EDITOR", "VISUAL", "EDITOR"];

/**
 * Creates a function that finds the places in a text, such as `openapi/v2/teams.yaml:3:5` at the beginning of a line,
 * and returns addresses that open them in the editor of the environment. The browser asks the system to open such an
 * address, so the server runs nothing. Returns no addresses for an editor that has none.
 */
export function createEditorLinks(environment: NodeJS.ProcessEnv): (text: string) => Readonly<Record<string, string>> {
  const command = variables.map((name) => environment[name]).find((value) => value !== undefined && value !== "") ?? "";
  const [program] = splitOnce(command, " ");
  const linkTo = editors[parse(program).name];
  if (linkTo === undefined) return () => ({});
  return (text) =>
    Object.fromEntries(
      text.split("\n").flatMap((written) => {
        const [place] = splitOnce(written.trim(), ": ");
        const [file = "", line = "", column = "", ...others] = place.split(":");
        const isPlace = file !== "" && isDigits(line) && isDigits(column) && others.length === 0;
        return isPlace ? [[place, linkTo({ file: pathToFileURL(resolve(file)), line, column })]] : [];
      }),
    );
}
