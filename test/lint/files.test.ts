import { lint, loadConfig } from "@redocly/openapi-core";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { dump, load } from "js-yaml";
import { isObject } from "../../scripts/values/json.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Two descriptions that share a file; each thing in them is used. */
const faultless = {
  "old/openapi.yaml": index({ "/old/books": "books.yaml#/components/pathItems/Books" }),
  "old/books.yaml": {
    components: { pathItems: { Books: pathItem("../shared/books.yaml#/components/schemas/OldBook") } },
  },
  "new/openapi.yaml": index({
    "/new/books/{bookId}": "books.yaml#/components/pathItems/Book",
    "/new/shelves": "rooms/shelves.yaml#/paths/~1new~1shelves",
  }),
  "new/books.yaml": {
    components: {
      pathItems: { Book: pathItem("#/components/schemas/Book") },
      schemas: { Book: { $ref: "#/components/schemas/Volume" }, Volume: { type: "object" } },
    },
  },
  "new/rooms/shelves.yaml": {
    paths: { "/new/shelves": pathItem("../../shared/books.yaml#/components/schemas/Shelf/properties/books") },
  },
  "new/notes.yaml": { remember: "This is no part of a description." },
  "shared/books.yaml": {
    components: {
      schemas: { OldBook: { type: "object" }, Shelf: { type: "object", properties: { books: { type: "array" } } } },
    },
  },
};

const unused = [
  { when: "everything is used", change: {}, problems: {} },
  {
    when: "a component is used by nothing, or only by such a component",
    change: {
      "old/books.yaml": {
        components: {
          ...faultless["old/books.yaml"].components,
          schemas: { Novel: { $ref: "#/components/schemas/Story" }, Story: { type: "object" } },
          parameters: { page: { name: "page", in: "query" } },
        },
      },
    },
    problems: {
      old: [
        "old/books.yaml#/components/schemas/Novel",
        "old/books.yaml#/components/schemas/Story",
        "old/books.yaml#/components/parameters/page",
      ],
    },
  },
  {
    when: "no description uses a shared component",
    change: {
      "old/books.yaml": {
        components: {
          ...faultless["new/books.yaml"].components,
          pathItems: { Books: pathItem("#/components/schemas/Book") },
        },
      },
    },
    problems: { new: ["shared/books.yaml#/components/schemas/OldBook"] },
  },
  {
    when: "two descriptions reach a file with a component that neither uses",
    change: {
      "shared/books.yaml": {
        components: { schemas: { ...faultless["shared/books.yaml"].components.schemas, Comic: { type: "object" } } },
      },
    },
    problems: { old: ["shared/books.yaml#/components/schemas/Comic"] },
  },
  {
    when: "the root file does not list a path or a path item",
    change: {
      "old/books.yaml": {
        paths: { "/old/books/~": { summary: "Unlisted" } },
        components: { pathItems: { ...faultless["old/books.yaml"].components.pathItems, Shelf: {} } },
      },
    },
    problems: {
      old: ["old/books.yaml#/paths/~1old~1books~1~0", "old/books.yaml#/components/pathItems/Shelf"],
    },
  },
  {
    when: "nothing refers to a file",
    change: {
      "new/rooms/chairs.yaml": { paths: { "/new/chairs": { summary: "Unlisted" } } },
      "shared/chairs.yaml": { components: { schemas: { Chair: { type: "object" } } } },
    },
    problems: {
      old: ["old/openapi.yaml#/paths shared/chairs.yaml"],
      new: ["new/openapi.yaml#/paths new/rooms/chairs.yaml"],
    },
  },
  {
    when: "a file that nothing refers to is not YAML",
    change: { "new/chairs.yaml": "paths: {" },
    problems: { new: ["new/openapi.yaml#/paths new/chairs.yaml"] },
  },
  {
    when: "references lead nowhere, or round in a circle",
    change: {
      "old/books.yaml": {
        components: {
          pathItems: { Books: pathItem("../shared/books.yaml#/components/schemas/OldBook/properties/%E0%A4%A") },
        },
      },
      "new/books.yaml": {
        components: {
          pathItems: { Book: pathItem("#/components/schemas/Book") },
          schemas: { Book: { properties: { sequel: { $ref: "#/components/schemas/Book" } } } },
        },
      },
    },
    problems: {},
  },
];

test.for(unused)("house/unused-source: $when", async ({ change, problems }) => {
  const folder = writeFiles({ ...faultless, ...change });
  const config = await loadConfig({ configPath: join(folder, "redocly.yaml") });
  const found: Record<string, string[]> = {};
  for (const name of ["old", "new"]) {
    const all = await lint({ ref: join(folder, name, "openapi.yaml"), config: config.forAlias(name) });
    const own = all.filter(({ ruleId }) => ruleId === "house/unused-source");
    if (own.length === 0) continue;
    found[name] = own.map(({ location: [place], message }) => {
      const file = /^Nothing refers to (\S+): /.exec(message)?.[1];
      const at = `${relative(folder, place?.source.absoluteRef ?? "")}${place?.pointer ?? ""}`;
      return file === undefined ? at : `${at} ${relative(folder, resolve(file))}`;
    });
  }
  expect(found).toEqual(problems);
});

test("component-name-unique: files that are referred to as a whole are told apart by their names", async () => {
  const properties = { team: { $ref: "Team.yaml" }, user: { $ref: "User.yaml" } };
  const folder = writeFiles({
    ...faultless,
    "new/Team.yaml": { type: "object" },
    "new/User.yaml": { type: "string" },
    "new/books.yaml": {
      components: {
        ...faultless["new/books.yaml"].components,
        schemas: { Book: { type: "object", properties } },
      },
    },
  });
  const config = await loadConfig({ configPath: join(folder, "redocly.yaml") });
  const all = await lint({ ref: join(folder, "new/openapi.yaml"), config: config.forAlias("new") });
  expect(all.filter(({ ruleId }) => ruleId === "component-name-unique")).toEqual([]);
});

const misplaced = [
  { when: "the file is named after its group", file: "books/new-ones.yaml", tag: "Books / New ones", name: "Book" },
  {
    when: "the file is a further one of its group",
    file: "books/new-ones.loans.yaml",
    tag: "Books / New ones",
    name: "Book",
  },
  {
    when: "the file is a further one of another group",
    file: "books/new.loans.yaml",
    tag: "Books / New ones",
    name: "Book",
    problem: "house/group-file",
  },
  {
    when: "the file is named after another group",
    file: "books/old.yaml",
    tag: "Books / New ones",
    name: "Book",
    problem: "house/group-file",
  },
  {
    when: "another file has a component of the same name",
    file: "books/new-ones.yaml",
    tag: "Books / New ones",
    name: "Shelf",
    problem: "component-name-unique",
  },
];

test.for(misplaced)("a group file: $when", async ({ file, tag, name, problem }) => {
  const pathItems = {
    One: pathItem(`#/components/schemas/${name}`, tag),
    Other: pathItem("../../shared/shelves.yaml#/components/schemas/Shelf", tag),
  };
  const folder = writeFiles({
    "old/openapi.yaml": index({}),
    "new/openapi.yaml": {
      ...index({ "/one": `${file}#/components/pathItems/One`, "/other": `${file}#/components/pathItems/Other` }),
      tags: [{ name: tag, description: "What the library bought." }],
    },
    [`new/${file}`]: { components: { pathItems, schemas: { [name]: { type: "object" } } } },
    "shared/shelves.yaml": { components: { schemas: { Shelf: { type: "array", items: { type: "string" } } } } },
  });
  const config = await loadConfig({ configPath: join(folder, "redocly.yaml") });
  const all = await lint({ ref: join(folder, "new/openapi.yaml"), config: config.forAlias("new") });
  const found = all.map(({ ruleId }) => ruleId).filter((rule) => /group-file|component-name-unique/.test(rule));
  expect([...new Set(found)]).toEqual(problem === undefined ? [] : [problem]);
});

/** A folder with the files, and with the project's own redocly.yaml over them. Text is written as it is. */
function writeFiles(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), "lint-"));
  folders.push(folder);
  const config: unknown = load(readFileSync("redocly.yaml", "utf8"));
  if (!isObject(config)) throw new Error("redocly.yaml holds no object");
  const all = {
    ...files,
    "redocly.yaml": {
      ...config,
      plugins: [resolve("scripts/redocly/plugin.ts")],
      apis: { old: { root: "old/openapi.yaml" }, new: { root: "new/openapi.yaml" } },
    },
  };
  for (const [name, content] of Object.entries(all)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : dump(content, { noRefs: true }));
  }
  return folder;
}

function index(references: Readonly<Record<string, string>>) {
  return {
    openapi: "3.1.1",
    info: { title: "Library", version: "1.0.0" },
    paths: Object.fromEntries(Object.entries(references).map(([path, reference]) => [path, { $ref: reference }])),
  };
}

function pathItem(schema: string, tag = "Books") {
  return {
    get: {
      tags: [tag],
      responses: { 200: { description: "Found.", content: { "application/json": { schema: { $ref: schema } } } } },
    },
  };
}
