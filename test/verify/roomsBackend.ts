/**
 * A service that does what `roomsContract.ts` says, written by hand, and the mistakes that can be planted in it. It shares
 * nothing with the scripts.
 */

type Fields = Record<string, unknown>;

/** Tells whether a mistake was planted. */
type Has = (mistake: string) => boolean;

/** A request, as its handler sees it. */
interface Call {
  readonly request: Request;
  readonly query: URLSearchParams;
  /** The values of the path's parameters, in their order. */
  readonly ids: readonly string[];
  readonly body: Fields;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The rows of one service. */
interface Tables {
  readonly rooms: Map<string, Fields>;
  readonly bookings: Map<string, Fields>;
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const refuse = (status: number, message: string): Answer => ({ status, body: { message } });

/** Makes a service as a function; with a mistake, one that does all but this right. */
export function createRoomsBackend(mistake?: string): (request: Request) => Promise<Response> {
  const has: Has = (name) => name === mistake;
  const tables: Tables = { rooms: new Map(), bookings: new Map() };
  for (const name of ["Attic", "Garden", "Study", "Porch"]) addRoom(tables, { name, seats: 2 });
  addBooking(tables, { title: "Retro", start: "2026-01-05T09:00:00Z", end: "2026-01-05T10:00:00Z" });
  const handlers: readonly Handler[] = [...roomHandlers(tables, has), ...bookingHandlers(tables, has), ...people(has)];
  return async (request) => {
    const answer = await answerOf(handlers, request, has).catch(() => refuse(500, "failed"));
    return toResponse(answer, has, request);
  };
}

interface Handler {
  readonly name: string;
  readonly opens: (call: Call) => boolean;
  readonly handle: (call: Call) => Answer;
  /** What is wrong with a body; handlers without it take none. */
  readonly faultIn?: (body: Fields) => boolean;
  readonly challenge?: string;
}

async function answerOf(handlers: readonly Handler[], request: Request, has: Has): Promise<Answer> {
  const { pathname, searchParams: query } = new URL(request.url);
  const here = handlers.flatMap((handler) => {
    const [method = "", path = ""] = handler.name.split(" ");
    const found = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`).exec(pathname);
    return found === null ? [] : [{ handler, method, ids: found.slice(1) }];
  });
  const [first] = here;
  if (first === undefined) return refuse(404, "no such path");
  const { handler, ids } = here.find(({ method }) => method === request.method) ?? {};
  if (handler === undefined || ids === undefined)
    return has("takes PUT as PATCH") && first.handler.name.endsWith("{roomId}") && request.method === "PUT"
      ? ok({})
      : { ...refuse(405, "no such method"), ...(!has("says no methods") && { headers: { Allow: methodsAt(here) } }) };
  const text = await request.text();
  const { faultIn } = handler;
  const call = { request, query, ids, body: {} };
  if (!handler.opens(call)) {
    const { challenge } = handler;
    const headers = challenge === undefined || has("sends no challenge") ? {} : { "WWW-Authenticate": challenge };
    return { ...refuse(401, "no credentials"), headers };
  }
  if (faultIn === undefined) return handler.handle(call);
  if (request.headers.get("Content-Type") !== "application/json" && !has("reads any media type"))
    return refuse(415, "not JSON");
  const body = readBody(text);
  if (body === undefined) return refuse(has("fails on broken JSON") ? 500 : 400, "not JSON");
  if (body === null && has("fails on null as the body")) return refuse(500, "failed");
  const isList = Array.isArray(body) && !has("takes a list as the body");
  if (typeof body !== "object" || body === null || isList) return refuse(422, "no object");
  const fields: Fields = { ...body };
  return faultIn(fields) ? refuse(422, "invalid") : handler.handle({ ...call, body: fields });
}

function methodsAt(here: readonly { readonly method: string }[]): string {
  return here.map(({ method }) => method).join(", ");
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toResponse({ status, body, headers }: Answer, has: Has, { method, url, headers: sent }: Request): Response {
  const isRooms = method === "GET" && new URL(url).pathname === "/rooms" && status === 200;
  const isClient = new URL(url).pathname === "/client" && status === 200;
  if (isRooms && has("redirects")) return new Response(null, { status: 302, headers: { Location: "/login" } });
  if (isRooms && has("redirects to another server"))
    return new Response(null, { status: 302, headers: { Location: "https://login.example/" } });
  const type = isRooms && has("writes another charset") ? "application/json; charset=iso-8859-1" : "application/json";
  const contentType = isRooms && has("sends HTML") ? "text/html" : type;
  const secret = sent.get("X-Client-Secret") ?? "";
  const leaked = isClient && has("repeats a credential in a header") ? { "X-Debug": secret } : {};
  const text = body === undefined || (isRooms && has("sends no body")) ? null : JSON.stringify(body);
  // JSON.stringify does not write it.
  const large =
    isRooms && has("has a number beyond 2^53") ? text?.replaceAll('"id":1,', '"id":9007199254740993,') : text;
  return new Response(large ?? null, {
    status,
    headers: { ...(body !== undefined && { "Content-Type": contentType }), ...headers, ...leaked },
  });
}

function addRoom({ rooms }: Tables, fields: Fields): Fields {
  const id = rooms.size + 1;
  const room = { id, state: "open", ...fields };
  rooms.set(String(id), room);
  return room;
}

function addBooking({ bookings }: Tables, fields: Fields): Fields {
  const uid = `uid-${bookings.size + 1}`;
  const booking = { uid, repeats: null, ...fields };
  bookings.set(uid, booking);
  return booking;
}

function roomHandlers(tables: Tables, has: Has): readonly Handler[] {
  const { rooms } = tables;
  const deleted = new Set<string>();
  const listed: Fields[] = [];
  const withKey = ({ request: { headers, method } }: Call) => {
    const sent = headers.get("X-Key");
    if (has("takes any key") && sent !== null) return true;
    if (has("needs no key to read") && method === "GET") return true;
    if (has("needs no key to create") && method === "POST") return true;
    if (has("needs no key to delete") && method === "DELETE") return true;
    if (has("takes any key that begins right") && sent?.startsWith("room_") === true) return true;
    return sent === "room_key-0001";
  };
  const faultIn = (isWhole: boolean) => (body: Fields) => isWrongRoom(body, isWhole, has);
  const show = (room: Fields): Fields => {
    if (has("leaves out a required property")) return { ...room, seats: undefined };
    if (has("shows a number as text")) return { ...room, seats: String(room["seats"]) };
    if (has("shows what nobody should see")) return { ...room, passwordHash: "x1" };
    if (has("shows an unlisted state")) return { ...room, state: "Open" };
    if (has("shows a fraction")) return { ...room, seats: Number(room["seats"]) + 0.5 };
    if (has("shows null for what is absent")) return { ...room, email: room["email"] ?? null };
    return room;
  };
  const onRoom = (name: string, handle: (room: Fields, call: Call) => Answer, isWhole?: boolean): Handler => ({
    name,
    opens: withKey,
    handle: (call) => {
      const [given = ""] = call.ids;
      const id = has("reads the beginning of an identifier") ? String(Number.parseInt(given, 10)) : given;
      if (!/^\d+$/.test(id)) return refuse(has("fails on another type in the path") ? 500 : 400, "no number");
      const isRead = call.request.method === "GET" && !deleted.has(id);
      const isOther = has("answers an unknown identifier with another one") && isRead;
      const isPass = has("ignores the parent") && name.endsWith("/passes");
      const room = rooms.get(id) ?? (isOther || isPass ? rooms.get("1") : undefined);
      if (room === undefined && has("answers 200 with a failure")) return ok({ message: "no such room" });
      return room === undefined ? refuse(404, "no such room") : handle(room, call);
    },
    ...(isWhole !== undefined && { faultIn: faultIn(isWhole) }),
  });
  return [
    {
      name: "GET /rooms",
      opens: withKey,
      handle: ({ query }) => listRooms([...rooms.values(), ...listed], query, has, show),
    },
    {
      name: "POST /rooms",
      opens: withKey,
      faultIn: faultIn(true),
      handle: ({ body }) => createRoom(tables, body, has, show),
    },
    onRoom("GET /rooms/{roomId}", (room) => {
      const other = has("shows another one") ? rooms.get("2") : undefined;
      return ok(has("wraps one room") ? { data: show(other ?? room) } : show(other ?? room));
    }),
    onRoom("PATCH /rooms/{roomId}", (room, { body }) => updateRoom(tables, room, body, has, show), false),
    onRoom("DELETE /rooms/{roomId}", (room) => {
      const { id } = room;
      if (!has("deletes nothing")) rooms.delete(String(id));
      if (has("still lists what it deleted")) listed.push({ ...room });
      if (has("deletes all")) rooms.clear();
      deleted.add(String(id));
      return has("answers a deletion with 200") ? ok({}) : { status: 204 };
    }),
    onRoom("POST /rooms/{roomId}/close", (room) => {
      const closed = { ...room, state: has("does not close") ? "open" : "closed" };
      if (!has("closes for this answer only")) rooms.set(String(room["id"]), closed);
      return ok(show(closed));
    }),
    onRoom("GET /rooms/{roomId}/passes", () => {
      const url = `https://passes.example/${has("renews nothing") ? 1 : Math.random()}`;
      return ok({ data: [{ id: 1, url }] });
    }),
  ];
}

function listRooms(all: readonly Fields[], query: URLSearchParams, has: Has, show: (room: Fields) => Fields): Answer {
  const read = (text: string) =>
    has("reads the beginning of a number in the query") ? String(Number.parseInt(text, 10)) : text;
  const [take, skip] = [read(query.get("take") ?? "50"), read(query.get("skip") ?? "0")];
  if (["take", "skip"].some((name) => query.getAll(name).length > 1))
    return refuse(has("fails on a repeated parameter") ? 500 : 400, "no page");
  if (has("takes a negative number to skip") && Number(skip) < 0) return ok({ data: all });
  if (has("takes a page of none") && take === "0") return ok({ data: [] });
  if (Number(skip) >= all.length && has("fails beyond the last page")) return refuse(500, "failed");
  if (Number(skip) >= all.length && has("answers null beyond the last page")) return ok({ data: null });
  if (Number(skip) >= all.length && has("begins again beyond the last page")) return ok({ data: all.slice(0, 1) });
  if (!/^\d+$/.test(take + skip)) {
    if (has("fails on another type in the query")) return refuse(500, "failed");
    return has("takes any page") ? ok({ data: all }) : refuse(400, "no page");
  }
  if (Number(take) < 1) return refuse(400, "no page");
  if (has("answers null")) return ok({ data: null });
  if (has("answers with an undeclared status")) return { status: 206, body: { data: all.map(show) } };
  const start = has("skips nothing") ? 0 : Number(skip) * (has("skips pages") ? Number(take) : 1);
  const from = has("repeats an item") ? Math.max(0, start - 1) : start;
  const end = from + Number(take) - (has("leaves out the last item of a page") ? 1 : 0);
  const listed = has("lists in another order each time") ? all.toSorted(() => Math.random() - 0.5) : all;
  const items = listed.slice(from, has("takes all") ? undefined : end);
  return ok(has("names the list otherwise") ? { items: items.map(show) } : { data: items.map(show) });
}

function createRoom(tables: Tables, body: Fields, has: Has, show: (room: Fields) => Fields): Answer {
  if (has("fails to create")) return refuse(500, "failed");
  if (has("fails without optional fields") && body["tags"] === undefined) return refuse(500, "failed");
  if (has("sends nothing of what it creates")) return { status: 201 };
  const stored = has("creates without a field") ? { ...body, tags: [] } : body;
  if (has("gives a known identifier")) tables.rooms.set("1", { state: "open", ...stored, id: 1 });
  const room = has("gives a known identifier") ? { state: "open", ...stored, id: 1 } : addRoom(tables, stored);
  if (has("stores no field of a creation")) tables.rooms.set(String(room["id"]), { ...room, email: "no@example.com" });
  if (has("does not keep what it creates")) tables.rooms.delete(String(room["id"]));
  return { status: has("creates with 200") ? 200 : 201, body: show(room) };
}

function updateRoom({ rooms }: Tables, room: Fields, body: Fields, has: Has, show: (room: Fields) => Fields): Answer {
  if (has("updates all")) for (const [id, one] of rooms) rooms.set(id, { ...one, ...body });
  if (has("shows only the changes")) return ok(show(body));
  const changed = { ...room, ...body, ...(has("resets what was not sent") && { email: "none@example.com" }) };
  if (has("fails on an empty change") && Object.keys(body).length === 0) return refuse(500, "failed");
  if (has("changes nothing")) return ok(show(room));
  const id = String(room["id"]);
  if (has("drops what was not sent")) rooms.set(id, { id: room["id"], state: "open", seats: 1, ...body });
  else if (!has("stores no update")) rooms.set(id, changed);
  return ok(show(changed));
}

function isWrongRoom(body: Fields, isWhole: boolean, has: Has): boolean {
  const { name, seats, kind, email, tags } = body;
  const names = ["name", "seats", "kind", "email", "tags"];
  if (isWhole && name === undefined && !has("does not require a field")) return true;
  if (isWhole && seats === undefined) return true;
  if (isWhole && Object.keys(body).some((key) => !names.includes(key)) && !has("takes any property")) return true;
  const isNull = (value: unknown) => value === null && has("takes null");
  if (name !== undefined && !isNull(name) && isWrongName(name, has)) return true;
  if (seats !== undefined && isWrongCount(seats, has)) return true;
  const known = has("takes kinds in any case") ? String(kind).toLowerCase() : kind;
  if (kind !== undefined && known !== "office" && known !== "hall" && !has("takes any kind")) return true;
  if (has("does not check one field") && email !== undefined && typeof email !== "string") return false;
  const isEmail = typeof email === "string" && (/^[^@\s]+@[^@\s]+$/.test(email) || has("takes any email"));
  if (email !== undefined && !isEmail) return true;
  if (tags === undefined) return false;
  const isLong = Array.isArray(tags) && tags.length > 3 && !has("takes any number of tags");
  return !Array.isArray(tags) || isLong || tags.some((tag) => typeof tag !== "string" && !has("takes any items"));
}

function isWrongName(name: unknown, has: Has): boolean {
  if (typeof name !== "string") return !has("takes any type");
  return (name.length < 2 && !has("takes a short name")) || (name.length > 40 && !has("takes a long name"));
}

function isWrongCount(seats: unknown, has: Has): boolean {
  if (typeof seats === "string" && has("takes numbers as text") && Number(seats) >= 1) return false;
  if (!Number.isInteger(seats) && !(typeof seats === "number" && has("takes fractions"))) return true;
  return Number(seats) < 1 && !has("takes a number that is too small");
}

function bookingHandlers(tables: Tables, has: Has): readonly Handler[] {
  const { bookings } = tables;
  const withToken = ({ request: { headers } }: Call) => {
    const sent = headers.get("Authorization") ?? "";
    return sent === "Bearer room-token-0001" || (has("takes any token") && sent.startsWith("Bearer "));
  };
  const common = { opens: withToken, challenge: "Bearer" };
  const hasVersion = ({ request: { headers } }: Call) => {
    const version = headers.get("X-Version");
    return version === "2" || (has("takes any version") && version !== null) || has("needs no version");
  };
  const onBooking = (name: string, handle: (booking: Fields, call: Call) => Answer): Handler => ({
    ...{ name, ...common },
    handle: (call) => {
      const booking = bookings.get(call.ids[0] ?? "");
      return booking === undefined ? refuse(404, "no such booking") : handle(booking, call);
    },
  });
  const faultIn = (required: readonly string[]) => (body: Fields) => isWrongBooking(body, required, has);
  return [
    { name: "GET /bookings", ...common, handle: () => ok({ data: [...bookings.values()] }) },
    {
      ...{ name: "POST /bookings", ...common, faultIn: faultIn(["title", "start", "end"]) },
      handle: (call) =>
        hasVersion(call) ? { status: 201, body: addBooking(tables, call.body) } : refuse(400, "version"),
    },
    onBooking("GET /bookings/{bookingUid}", (booking, call) =>
      hasVersion(call) ? ok(booking) : refuse(400, "version"),
    ),
    {
      ...onBooking("PATCH /bookings/{bookingUid}", (booking, { body }) => {
        const { start = booking["start"], end: sent = movedEnd(booking, start) } = body;
        const end = typeof sent === "string" ? sent : "";
        const moved = { ...booking, ...body, ...(!has("does not move the end") && { end }) };
        if (has("writes times without a zone")) return ok({ ...moved, end: end.slice(0, 19) });
        if (has("writes times as numbers")) return ok({ ...moved, end: Date.parse(end) });
        bookings.set(String(booking["uid"]), moved);
        return ok(moved);
      }),
      faultIn: faultIn([]),
    },
    onBooking("DELETE /bookings/{bookingUid}", ({ uid }) => {
      const isKept = has("still shows what it deleted") && uid !== "uid-1";
      if (!isKept) bookings.delete(String(uid));
      return { status: 204 };
    }),
    {
      ...onBooking("POST /bookings/{bookingUid}/repeat", (booking, { body }) => {
        const { uid, ...copied } = booking;
        const copy = { ...copied, ...body, end: movedEnd(booking, body["start"]), repeats: uid };
        const wrong = has("copies without the title") ? { title: "Copy" } : {};
        const origin = has("forgets what it repeats") ? { repeats: null } : {};
        return { status: 201, body: addBooking(tables, { ...copy, ...wrong, ...origin }) };
      }),
      faultIn: faultIn(["start"]),
    },
  ];
}

function movedEnd(booking: Fields, start: unknown): string {
  const length = Date.parse(String(booking["end"])) - Date.parse(String(booking["start"]));
  return new Date(Date.parse(String(start)) + length).toISOString();
}

function isWrongBooking(body: Fields, required: readonly string[], has: Has): boolean {
  if (required.some((name) => body[name] === undefined)) return true;
  const isTime = (value: unknown) => typeof value === "string" && !Number.isNaN(Date.parse(value));
  const isAnyTime = has("takes any time");
  const texts = [body["title"], body["note"]].filter((value) => value !== undefined);
  const times = [body["start"], body["end"]].filter((value) => value !== undefined);
  return texts.some((value) => typeof value !== "string") || (!isAnyTime && !times.every(isTime));
}

/** Those who read with credentials of other kinds. */
function people(has: Has): readonly Handler[] {
  const show = (name: string) => () => ok({ id: 1, name });
  return [
    {
      name: "GET /client",
      opens: ({ request: { headers } }) =>
        headers.get("X-Client-Id") === "client-0001" &&
        (headers.get("X-Client-Secret") === "client-secret-1" || has("needs half of a pair only")),
      handle: ({ request: { headers } }) => {
        const debug = has("repeats a credential in the body") ? { debug: headers.get("X-Client-Secret") } : {};
        return ok({ id: 1, name: "Client", ...debug });
      },
    },
    {
      name: "GET /report",
      opens: ({ query }) =>
        query.get("access") === "access-0001" || (has("takes any access in the query") && query.has("access")),
      handle: show("Report"),
    },
    {
      name: "GET /me",
      opens: ({ request: { headers } }) => {
        const cookie = headers.get("Cookie") ?? "";
        return cookie === "session=session-0001" || (has("takes any session") && cookie.includes("session="));
      },
      handle: show("Me"),
    },
    {
      name: "GET /admin",
      challenge: "Basic",
      opens: ({ request: { headers } }) => {
        const sent = headers.get("Authorization") ?? "";
        return (
          sent === `Basic ${btoa("ada:room-password")}` || (has("takes any password") && sent.startsWith("Basic "))
        );
      },
      handle: show("Admin"),
    },
  ];
}
