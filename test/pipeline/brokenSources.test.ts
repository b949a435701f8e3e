import { loadConfig } from "@redocly/openapi-core";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adviceOnRules } from "../../scripts/pipeline/lintAdvice.ts";
import { copyProject, repository, runNode, type Project } from "./project.ts";

interface Mistake {
  readonly what: string;
  readonly make: (project: Project) => Promise<void>;
  /** Where the message says it is: file, line, column and rule. */
  readonly place: string;
  /** What it says is wrong, and what to do. */
  readonly says: readonly string[];
}

const mistakes: readonly Mistake[] = [
  {
    what: "a file that is not YAML",
    make: ({ edit }) => edit("openapi/v1/rooms.yaml", "summary: List rooms", "summary: [List rooms"),
    place: "openapi/v1/rooms.yaml:7:9: error (yaml)",
    says: ["This is not valid YAML", "Check the indentation, quotes and brackets"],
  },
  {
    what: "a reference to nothing",
    make: ({ edit }) =>
      edit("openapi/v1/rooms.yaml", "rooms.yaml#/components/schemas/Room", "rooms.yaml#/components/schemas/Hall"),
    place: "openapi/v1/rooms.yaml:42:19: error (no-unresolved-refs)",
    says: ["Can't resolve $ref", "Correct the $ref, or add what it points to."],
  },
  {
    what: "references in a cycle",
    make: ({ edit }) =>
      edit(
        "openapi/shared/rooms.yaml",
        "    RoomKind:\n",
        '    RoomKind:\n      $ref: "#/components/schemas/Kind"\n    Kind:\n      $ref: "#/components/schemas/RoomKind"\n    Old:\n',
      ),
    place: "openapi/shared/rooms.yaml:52:7: error (reference-cycle)",
    says: ["leads back to itself", "point the last one to a definition"],
  },
  {
    what: "references that lead in a circle through a pointer into one of them",
    make: ({ edit }) =>
      edit(
        "openapi/shared/rooms.yaml",
        "    RoomKind:\n",
        "    RoomKind:\n      $ref: '#/components/schemas/A/properties/x'\n    A:\n      $ref: '#/components/schemas/B/properties/x'\n    B:\n      $ref: '#/components/schemas/A'\n    Old:\n",
      ),
    place: "openapi/shared/rooms.yaml:54:7: error (reference-cycle)",
    says: ["leads back to itself"],
  },
  {
    what: "references that lead in a circle below a discriminator's mapping",
    make: ({ edit }) =>
      edit(
        "openapi/shared/rooms.yaml",
        "    RoomKind:\n",
        "    RoomKind:\n      discriminator:\n        propertyName: kind\n        mapping:\n          a: '#/components/schemas/A'\n      type: object\n    A:\n      $ref: '#/components/schemas/A'\n    Old:\n",
      ),
    place: "openapi/shared/rooms.yaml:58:7: error (reference-cycle)",
    says: ["leads back to itself"],
  },
  {
    what: "a YAML alias inside of what it stands for",
    make: ({ edit }) =>
      edit(
        "openapi/shared/rooms.yaml",
        "    RoomKind:\n",
        "    RoomKind: &kind\n      type: object\n      properties:\n        inner: *kind\n    Old:\n",
      ),
    place: "openapi/shared/rooms.yaml:54:17: error (reference-cycle)",
    says: ["leads back to itself", "YAML alias"],
  },
  {
    what: "an example that does not fit its schema",
    make: ({ edit }) => edit("openapi/v1/rooms.yaml", "name: Attic", "name: 7"),
    place: "openapi/v1/rooms.yaml:22:31: error (no-invalid-media-type-examples)",
    says: ["type must be string", "Change the example or its schema"],
  },
  {
    what: "a slow pattern, whatever an example is",
    make: async ({ edit }) => {
      await edit("redocly.yaml", "rules:\n", "rules:\n  house/schema-keywords: error\n");
      await edit("openapi/shared/rooms.yaml", "type: string\n", "type: string\n          pattern: ^(\\w+ ?)*$\n");
      await edit("openapi/v1/rooms.yaml", "name: Attic", `name: ${"Attic ".repeat(20)}!`);
    },
    place: "openapi/shared/rooms.yaml:18:11: error (house/schema-keywords)",
    says: ["Nothing is compared with this pattern", "Begin it with `^`"],
  },
  {
    what: "a long chain of references",
    make: ({ edit }) => {
      const schemas = Array.from(
        { length: 700 },
        (_, index) => `    Kind${index}:\n      items:\n        $ref: "#/components/schemas/Kind${index + 1}"\n`,
      );
      const text = `${schemas.join("")}    Kind700:\n      type: string\n    RoomKind:\n      items:\n        $ref: "#/components/schemas/Kind0"\n`;
      return edit("openapi/shared/rooms.yaml", "    RoomKind:\n", text);
    },
    place: ": error (reference-depth)",
    says: ["From here, references lead more than 500 levels deep.", "Shorten the chain"],
  },
  {
    what: "null for an example, although the rule that says so is off",
    make: async ({ edit }) => {
      await edit("redocly.yaml", "rules:\n", "rules:\n  struct: off\n");
      await edit(
        "openapi/v1/rooms.yaml",
        "                  one:\n",
        "                  none: null\n                  one:\n",
      );
    },
    place: "openapi/v1/rooms.yaml:18:25: error (struct)",
    says: ["Expected type `Example` (object) but got `null`"],
  },
  {
    what: "a group file that is missing",
    make: ({ remove }) => remove("openapi/v2/rooms.yaml"),
    place: "openapi/v2/openapi.yaml:19:5: error (no-unresolved-refs)",
    says: ["there is no file openapi/v2/rooms.yaml", "Correct the $ref, or create the file."],
  },
  {
    what: "a root file that is missing",
    make: ({ remove }) => remove("openapi/v2/openapi.yaml"),
    place: "redocly.yaml:7:11: error (root)",
    says: ["cannot be read", "Correct the path, or create the file."],
  },
  ...["openapi: 3.0", "openapi: 3.3.0", 'swagger: "2.0"'].map((version): Mistake => ({
    what: `${version}, which is no version that is read`,
    make: ({ edit }) => edit("openapi/v1/openapi.yaml", "openapi: 3.1.1", version),
    place: "openapi/v1/openapi.yaml:1:10: error (root)",
    says: [
      "not an OpenAPI 3.0, 3.1 or 3.2 description",
      version.startsWith("swagger") ? "Convert it" : "Begin it with",
    ],
  })),
  {
    what: "a file that has no version",
    make: ({ edit }) => edit("openapi/v1/openapi.yaml", "openapi: 3.1.1", "openapi: latest"),
    place: "openapi/v1/openapi.yaml:1:10: error (root)",
    says: ["not an OpenAPI 3.0, 3.1 or 3.2 description", 'Begin it with "openapi: 3.1.1"'],
  },
  {
    what: "a byte of Latin-1",
    make: ({ directory }) => damage(join(directory, "openapi/v1/rooms.yaml"), "List rooms"),
    place: "openapi/v1/rooms.yaml:6:28: error (encoding)",
    says: ["isn't UTF-8", "Save the file as UTF-8"],
  },
  {
    what: "`nullable`, which was OpenAPI 3.0's, in a file that begins with a byte order mark",
    make: async ({ edit }) => {
      await edit("openapi/shared/rooms.yaml", "type: string\n", "type: string\n          nullable: true\n");
      await edit("openapi/shared/rooms.yaml", /^/, "\uFEFF");
    },
    place: "openapi/shared/rooms.yaml:18:11: error (struct)",
    says: ["Property `nullable` is not expected here.", '`type: [string, "null"]`'],
  },
  {
    what: "a reference without quotes, which is a comment",
    make: ({ edit }) =>
      edit("openapi/v1/rooms.yaml", '"#/components/schemas/RoomList"', "#/components/schemas/RoomList"),
    place: "openapi/v1/rooms.yaml:16:19: error (struct)",
    says: ["Property `$ref` is not expected here.", "Write the reference in quotes"],
  },
  {
    what: "a method in capitals",
    make: ({ edit }) =>
      edit("openapi/v1/rooms.yaml", "get:\n        operationId: getRoom", "DELETE:\n        operationId: getRoom"),
    place: "openapi/v1/rooms.yaml:28:7: error (struct)",
    says: ["Property `DELETE` is not expected here.", "Did you mean: delete?"],
  },
  {
    what: "two components of one name",
    make: ({ edit }) =>
      edit(
        "openapi/v1/rooms.yaml",
        "      items:\n        $ref: ../shared/rooms.yaml#/components/schemas/Room\n",
        '      items:\n        $ref: "#/components/schemas/Room"\n    Room:\n      description: Another.\n      type: object\n',
      ),
    place: "openapi/v1/rooms.yaml:62:7: error (component-name-unique)",
    says: ["also defined at: openapi/shared/rooms.yaml#/components/schemas/Room", "Rename one of the two"],
  },
  {
    what: "a redocly.yaml that is missing",
    make: ({ remove }) => remove("redocly.yaml"),
    place: "redocly.yaml",
    says: ["does not exist", "run this in the project's folder"],
  },
  {
    what: "a redocly.yaml that has a key twice",
    make: ({ edit }) => edit("redocly.yaml", "apis:", "rules: {}\napis:"),
    place: "redocly.yaml:22:1: error (yaml)",
    says: ["This is not valid YAML: duplicated mapping key", "Keep one of the two, or rename it."],
  },
  {
    what: "a redocly.yaml with an unknown option",
    make: ({ edit }) => edit("redocly.yaml", "rules:", "rulez:"),
    place: "redocly.yaml:21:1: error (configuration struct)",
    says: ["Property `rulez` is not expected here.", "Did you mean: rules?"],
  },
  {
    what: "a redocly.yaml with a rule that no plugin has",
    make: ({ edit }) => edit("redocly.yaml", "house/deprecation", "house/deprecatoin"),
    place: "redocly.yaml:24:3: error (configuration)",
    says: ["The plugin house has no rule or decorator house/deprecatoin.", "Did you mean: house/deprecation?"],
  },
  {
    what: "a generation with a decorator that no plugin has",
    make: ({ edit }) => edit("redocly.yaml", "  v2:", "    decorators:\n      house/add-tag: on\n  v2:"),
    place: "redocly.yaml:7:7: error (configuration)",
    says: ["The plugin house has no rule or decorator house/add-tag.", "Did you mean: house/add-tags?"],
  },
  {
    what: "a generation with the name of another folder in generated/",
    make: ({ edit }) => edit("redocly.yaml", "  v1:", "  package:"),
    place: "redocly.yaml",
    says: [
      '"package" under "apis:" cannot be the name of a folder',
      "none of the names docs, docs-screenshots, editor, package, workflows, ",
    ],
  },
  {
    what: "a redocly.yaml that lists no generation",
    make: ({ directory }) => writeFile(join(directory, "redocly.yaml"), "extends: [recommended-strict]\n"),
    place: "redocly.yaml",
    says: ['lists no generation: add one under "apis:"'],
  },
];

let built: Project;
let before: Record<string, string>;

beforeAll(async () => {
  built = await copyProject();
  expect(await built.buildHere()).toMatchObject({ code: 0, stderr: "" });
  before = await built.readGenerated();
});

afterAll(async () => {
  await built[Symbol.asyncDispose]();
});

test.each(mistakes)("$what ends the build and leaves generated/ alone", async ({ make, place, says }) => {
  await using project = await copyProject(built.directory);
  await make(project);

  const { code, stderr } = await project.buildHere();

  expect(code).toBe(1);
  expect(stderr).toContain(place);
  for (const part of says) expect(stderr).toContain(part);
  expect(await project.readGenerated()).toEqual(before);
});

// The same function finds them; every fifth shows that the command calls it.
test.each(mistakes.filter((_, index) => index % 5 === 0))(
  "npm run lint finds the same: $what",
  async ({ make, place, says }) => {
    await using project = await copyProject();
    await make(project);

    const { code, stderr } = await project.lint();

    expect(code).toBe(1);
    for (const part of [place, ...says]) expect(stderr).toContain(part);
    expect(stderr).not.toMatch(/^ +at /m);
  },
);

test("a terminal gets lines of its width, and nothing good before the mistakes", async () => {
  await using project = await copyProject();
  await project.edit("openapi/v1/rooms.yaml", "summary: List rooms", `summary: [${"List rooms ".repeat(9)}`);
  await writeFile(join(project.directory, "openapi/CHANGELOG.md"), "<<<<<<< HEAD\n=======\n>>>>>>> other\n");
  const { isTTY, columns } = process.stderr;
  Object.assign(process.stderr, { isTTY: true, columns: 80 });
  const { stdout, ...run } = await project.lint().finally(() => Object.assign(process.stderr, { isTTY, columns }));
  const stderr = stripVTControlCharacters(run.stderr);
  expect(stdout).toBe("");
  expect(stderr).toContain(
    "  Between `<<<<<<<` and `>>>>>>>` are two versions of these lines, separated by\n  `=======`.",
  );
  expect(stderr).toContain("…\n");
  expect(Math.max(...stderr.split("\n").map(({ length }) => length))).toBe(80);
});

test("GitHub's annotations are one line each, whatever the contract's text is", async () => {
  await using project = await copyProject();
  const key = String.raw`"50%, a:b\r\n::add-mask::it"`;
  await project.edit("openapi/v1/rooms.yaml", "summary: List rooms", `${key}: List rooms`);
  await project.edit("openapi/v2/rooms.yaml", "operationId: createRoom", "operationId: create room");
  const conflict = join(project.directory, "openapi/a,b::error::c%.md");
  await writeFile(conflict, "<<<<<<< HEAD\n=======\n>>>>>>> other\n");
  const { code, stdout, stderr } = await project.lint("--format", "github");
  expect([code, stderr]).toEqual([1, ""]);
  const advice = "Correct its name, or remove it.";
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^::error file=openapi\/a%2Cb%3A%3Aerror%3A%3Ac%25.md,line=1,col=1,title=merge-conflict::/),
    `::error file=openapi/v1/rooms.yaml,line=6,col=9,title=struct::Property \`50%25, a:b%0D%0A::add-mask::it\` is not expected here.%0A${advice}`,
    expect.stringMatching(/^::error file=openapi\/v2\/rooms.yaml,line=5,col=22,title=operation-operationId-url-safe::/),
    "3 mistakes in the contract",
    "",
  ]);
});

test("redocly lint 2.77 says nothing of the place of a circle of references, which its resolver throws for", async () => {
  await using project = await copyProject();
  await project.edit(
    "openapi/shared/rooms.yaml",
    "    RoomKind:\n",
    '    RoomKind:\n      $ref: "#/components/schemas/RoomKind"\n',
  );
  const redocly = join(repository, "node_modules/@redocly/cli/bin/cli.js");
  const { code, stderr } = await runNode(project.directory, [redocly, "lint"]);
  // If this fails, the check for cycles can be a rule of the plugin, and findReferenceCycles need not come before lint.
  expect([code, stderr]).toEqual([1, expect.stringContaining("Self-referencing circular pointer")]);
  expect(stderr).not.toContain("rooms.yaml");
});

test("every mistake is reported at once, in all generations", async () => {
  await using project = await copyProject();
  await project.edit("openapi/v1/rooms.yaml", "name: Attic", "name: 7");
  await project.edit("openapi/v2/rooms.yaml", "operationId: createRoom", "operationId: create room");

  const { stderr } = await project.build();

  expect(stderr).toContain("openapi/v1/rooms.yaml:22:31: error");
  expect(stderr).toContain("openapi/v2/rooms.yaml:5:22: error (operation-operationId-url-safe)");
  expect(stderr).toContain("2 mistakes in the contract");
});

/** The mistake is the only one that is counted, and the first that is told; what may follow from it is below it. The count is last. */
const causes: readonly (Mistake & { readonly following?: readonly string[] })[] = [
  {
    what: "a key that is misspelled, and then missing",
    make: ({ edit }) => edit("openapi/v1/rooms.yaml", "summary: List rooms", "sumary: List rooms"),
    place: "openapi/v1/rooms.yaml:6:9: error (struct)",
    says: ["Did you mean: summary?"],
    following: ["  openapi/v1/rooms.yaml:4:7 (operation-summary)\n"],
  },
  {
    what: "parameters under a misspelled key",
    make: ({ edit }) => edit("openapi/v1/rooms.yaml", "        parameters:", "        paramters:"),
    place: "openapi/v1/rooms.yaml:34:9: error (struct)",
    says: ["Did you mean: parameters?"],
    following: ["(path-parameters-defined)"],
  },
  {
    what: "a reference to a file that is not there, of which a similar one is",
    make: ({ edit }) => edit("openapi/v1/rooms.yaml", "../shared/rooms.yaml#", "../shared/room.yaml#"),
    place: "openapi/v1/rooms.yaml:42:19: error (no-unresolved-refs)",
    says: ["there is no file openapi/shared/room.yaml.", "Did you mean: ../shared/rooms.yaml?"],
  },
  {
    what: "a reference to a component as if it were a file",
    make: ({ edit }) => edit("openapi/v1/rooms.yaml", '"#/components/schemas/RoomList"', "components/schemas/RoomList"),
    place: "openapi/v1/rooms.yaml:16:19: error (no-unresolved-refs)",
    says: ['Did you mean: "#/components/schemas/RoomList"?'],
    following: ["(no-invalid-media-type-examples)"],
  },
  {
    what: "a misspelled name in a reference",
    make: ({ edit }) => edit("openapi/v2/rooms.yaml", "pathItems:", "pathItem:"),
    place: "openapi/v2/openapi.yaml:19:5: error (no-unresolved-refs)",
    says: ["Did you mean `pathItem`, which is at openapi/v2/rooms.yaml:2:3? Correct one of the two."],
  },
  {
    what: "a type that there is not",
    make: ({ edit }) => edit("openapi/shared/rooms.yaml", "type: string\n", "type: strin\n"),
    place: "openapi/shared/rooms.yaml:17:17: error (struct)",
    says: ["Did you mean: string?"],
    following: ["(no-invalid-media-type-examples)"],
  },
  {
    what: "a type that there is not, beside a value that no longer fits",
    make: ({ edit }) =>
      edit("openapi/shared/rooms.yaml", "room exists.\n          type: string", "room exists.\n          type: text"),
    place: "openapi/shared/rooms.yaml:33:17: error (struct)",
    says: ["Write one of these values."],
    following: ["(no-enum-type-mismatch)"],
  },
  {
    what: "properties under a misspelled key",
    make: ({ edit }) => edit("openapi/shared/rooms.yaml", "properties:", "propertes:"),
    place: "openapi/shared/rooms.yaml:11:7: error (struct)",
    says: ["Did you mean: properties?"],
    following: ["  openapi/shared/rooms.yaml:7:11 and 3 other places (no-required-schema-properties-undefined)\n"],
  },
  {
    what: "a property that is required and not there",
    make: ({ edit }) => edit("openapi/shared/rooms.yaml", "      required:\n", "      required:\n        - nme\n"),
    place: "openapi/shared/rooms.yaml:7:11: error (no-required-schema-properties-undefined)",
    says: ["Add the property to `properties`, or remove its name from `required`."],
    following: ["(no-invalid-media-type-examples)"],
  },
  {
    what: "a path parameter of another name",
    make: ({ edit }) => edit("openapi/v1/rooms.yaml", "name: roomId", "name: roomID"),
    place: "openapi/v1/rooms.yaml:48:13: error (path-parameters-defined)",
    says: ["Correct `name`, or the path in the index."],
  },
  {
    what: "a path parameter that is missing",
    make: ({ edit }) => edit("openapi/v1/openapi.yaml", "/v1/rooms/{roomId}", "/v1/rooms/{roomId}/{bed}"),
    place: "openapi/v1/rooms.yaml:34:9: error (path-parameters-defined)",
    says: ["Add it to `parameters`, with `in: path` and `required: true`"],
  },
  {
    what: "a security scheme that is not there",
    make: ({ edit }) => edit("openapi/v1/openapi.yaml", "- bearer: []", "- baerer: []"),
    place: "openapi/v1/openapi.yaml:12:5: error (security-defined)",
    says: ["There is no `baerer`", "Name a scheme of `components.securitySchemes` in the index"],
  },
  {
    what: "a quote that is not closed",
    make: ({ edit }) => edit("openapi/v1/openapi.yaml", "title: A small contract, v1", 'title: "A small contract, v1'),
    place: "openapi/v1/openapi.yaml:3:10: error (yaml)",
    says: ["the quote that begins here is not closed", "Close it"],
  },
  {
    what: "a group file that is empty",
    make: ({ directory }) => writeFile(join(directory, "openapi/v2/rooms.yaml"), "\n"),
    place: "openapi/v2/rooms.yaml:1:1: error (no-unresolved-refs)",
    says: ["This file is empty.", "Add the target of the reference at openapi/v2/openapi.yaml:19:5"],
  },
  {
    what: "a root file that is empty",
    make: ({ directory }) => writeFile(join(directory, "openapi/v2/openapi.yaml"), ""),
    place: "openapi/v2/openapi.yaml:1:1: error (root)",
    says: ["This file is empty.", 'Begin it with "openapi: 3.1.1"'],
  },
  {
    what: "conflict markers in YAML",
    make: ({ edit }) =>
      edit(
        "openapi/v1/rooms.yaml",
        "        summary: List rooms\n",
        "<<<<<<< HEAD\n        summary: List\n=======\n        summary: Rooms\n>>>>>>> other\n",
      ),
    place: "openapi/v1/rooms.yaml:6:1: error (merge-conflict)",
    says: ["This is a merge conflict marker.", "Keep the right parts of both, and delete the markers"],
  },
  {
    what: "conflict markers in Markdown, beside folders with names like files",
    make: async ({ directory }) => {
      await mkdir(join(directory, "openapi/drafts.md"));
      await mkdir(join(directory, "openapi/v1/old.yaml"));
      await writeFile(join(directory, "openapi/CHANGELOG.md"), "# Changelog\n\n<<<<<<< HEAD\n=======\n>>>>>>> other\n");
    },
    place: "openapi/CHANGELOG.md:3:1: error (merge-conflict)",
    says: ["This is a merge conflict marker."],
  },
];

test.each(causes)("reports the cause first: $what", async ({ make, place, says, following = [] }) => {
  await using project = await copyProject();
  await make(project);
  const { stderr } = await project.buildHere();
  expect([stderr.split("\n", 1)[0], stderr.split("\n\n").at(-1)]).toEqual([
    place,
    "error: 1 mistake in the contract\n",
  ]);
  for (const part of says) expect(stderr).toContain(part);
  const [, folded = ""] = stderr.split("Possible consequences:");
  for (const part of following) expect(folded).toContain(part);
});

test("consequences are below their own cause, not below the first one", async () => {
  await using project = await copyProject();
  await project.edit("openapi/shared/responses.yaml", "description:", "descripton:");
  await project.edit("openapi/shared/rooms.yaml", "type: string\n", "type: strin\n");
  const { stderr } = await project.buildHere();
  const [description, type] = stderr.split("openapi/shared/rooms.yaml:17:17: error (struct)");
  expect(description).not.toContain("(no-invalid-media-type-examples)");
  expect(type).toContain("(no-invalid-media-type-examples)");
  expect(type).toMatch(/\n\nerror: 2 mistakes in the contract\n$/);
});

test("what can't be served is reported with its place when the contract is only served", async () => {
  await using project = await copyProject();
  await project.edit("openapi/v1/openapi.yaml", "- bearer: []", "- baerer: []");
  const reference = 'items:\n                    $ref: "#room"\n                  $defs:\n                    Room:\n';
  await project.edit(
    "openapi/v1/rooms.yaml",
    "$ref: ../shared/rooms.yaml#/components/schemas/Room\n",
    `type: array\n                  ${reference}                      $anchor: room\n`,
  );
  const { code, stderr } = await runNode(project.directory, [join(repository, "scripts/mock.ts"), "--watch"]);
  expect(code).toBe(1);
  expect(stderr).toContain("openapi/v1/openapi.yaml:12:5: error (build/named-scheme)");
  expect(stderr).toContain("Name a scheme of `components.securitySchemes` in the index");
  expect(stderr).toMatch(/openapi\/v1\/rooms.yaml:\d+:\d+: error \(build\/pointer-reference\)/);
  expect(stderr).toContain("Can't resolve $ref: #room isn't a JSON Pointer.");
});

test("a violation of a Redocly rule comes with advice, not only with a link", async () => {
  const { rules } = await loadConfig({ configPath: join(repository, "redocly.yaml") });
  const inForce = Object.entries(rules.oas3_1).filter(([name, setting]) => setting === "error" && !name.includes("/"));
  expect(inForce.length).toBeGreaterThan(20);
  expect(inForce.map(([name]) => name).filter((name) => adviceOnRules[name] === undefined)).toEqual([]);
});

const once: readonly { what: string; make: Mistake["make"]; places: readonly string[]; others: number }[] = [
  {
    what: "a file that is not YAML, and not each reference to it",
    make: ({ edit }) => edit("openapi/v1/rooms.yaml", "summary: List rooms", "summary: [List rooms"),
    places: ["openapi/v1/rooms.yaml:7:9: error (yaml)"],
    others: 0,
  },
  {
    what: "a component that is missing, and not each reference to it",
    make: ({ edit }) => edit("openapi/shared/rooms.yaml", "    Room:\n", "    Rooms:\n"),
    places: ["openapi/v1/rooms.yaml:42:19: error (no-unresolved-refs)"],
    others: 2,
  },
];

test.each(once)("one mistake is reported once: $what", async ({ make, places, others }) => {
  await using project = await copyProject();
  await make(project);
  const { stderr } = await project.buildHere();
  expect(stderr.match(/^.*: error \(.*\)$/gm)).toEqual(places);
  expect(
    stderr
      .match(/The same at .*:((?:\n {2}\S+:\d+:\d+)+)/)?.[1]
      ?.trim()
      .split("\n").length ?? 0,
  ).toBe(others);
  expect(stderr).toContain(`error: ${places.length} mistake in the contract`);
});

/** Puts a byte behind the first occurrence of a text in a file: `é` in Latin-1. */
async function damage(file: string, text: string): Promise<void> {
  const content = await readFile(file, "latin1");
  await writeFile(file, content.replace(text, `${text}\u00e9`), "latin1");
}
