import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyProject, type Project } from "./project.ts";

let project: Project;
let types: string;

beforeAll(async () => {
  project = await copyProject();
  await project.buildHere();
  types = (await project.readGenerated())["generated/v1/types.ts"] ?? "";
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

/** What the compiler says to a program that uses the generated types, with every strict option and library checks. */
async function compile(program: string): Promise<string[]> {
  const file = join(project.directory, "consumer.ts");
  await writeFile(file, program);
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    // Only the declarations that TypeScript has itself.
    skipDefaultLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([file], options));
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("schemas are imported by name, and express open, absent, null and unknown values", async () => {
  const program = `
    import type { components, operations, paths, Room, RoomKind, RoomList } from "./generated/v1/types.ts";
    import type { CreateRoomRequest } from "./generated/v2/types.ts";

    const room: Room = { id: 1, name: "Attic", floor: null, kind: "OFFICE" };
    const list: RoomList = [room];
    const otherKind: RoomKind = "LOFT";
    const otherSeats: Room = { ...room, seats: 7 };
    const request: CreateRoomRequest = {};
    const failure: components["responses"]["Failure"]["content"]["application/json"] = ["anything"];
    const success: operations["listRooms"]["responses"]["2XX"]["content"]["application/json"] = list;
    const open: Room = { ...room, equipment: [1, "a"], metadata: { a: 1 }, settings: { b: 2 }, error: {} };
    const byPath: paths["/v1/rooms/{roomId}"]["get"]["parameters"]["path"] = { roomId: 1 };
    // @ts-expect-error A room without its floor is none: null says that it has none.
    const incomplete: Room = { id: 1, name: "Attic", kind: "OFFICE" };
    // @ts-expect-error The values of an open enumeration have a type.
    const wrongKind: RoomKind = 1;
    // @ts-expect-error A constant has one value.
    const closed: Room = { ...room, status: "closed" };
    // @ts-expect-error Nothing is known of an item.
    const item: string = open.equipment?.[0];
    // @ts-expect-error It holds nothing.
    const error: Room["error"] = { code: 1 };
    export { byPath, closed, error, failure, incomplete, item, list, open, otherKind, otherSeats, request, success, wrongKind };
  `;
  expect(await compile(program)).toEqual([]);
});

test("an open enumeration keeps its values, for editors to complete", () => {
  expect(types).toContain('RoomKind: "OFFICE" | "HALL" | (string & {});');
  expect(types).toContain("seats?: 2 | 12 | (number & {});");
});

test("comments contain descriptions, formats and gaps", async () => {
  expect(types).toContain("/** What the room is called. */\n      name: string;");
  expect(types).toContain("* Lists the rooms.\n     *\n     * Not specified: success status code.");
  expect(types).toContain('/** Not specified: response body. */\n        "application/json": unknown;');
  const { "generated/v2/types.ts": v2 } = await project.readGenerated();
  expect(v2).toContain(
    "* When it can first be used.\n       *\n       * Not specified: time zone.\n       * Format: date-time.",
  );
});
