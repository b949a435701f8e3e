import { withoutSlashes } from "../../values/text.ts";
import { reasonPhrase } from "../../spec/reasonPhrases.ts";
import type { PageMock, TryItData } from "../model/tryItData.ts";
import { choice, element, hint, labelled, typed } from "./elements.ts";
import type { KeptValues } from "./keptValues.ts";
import { pageAnswerer, pagePlace } from "./pageAnswerer.ts";
import { loadAhead, type AskedFault } from "./pageMock.ts";
import { resetButton, resetServer } from "./resetButton.ts";
import { sitePath } from "./scriptAddress.ts";
import { explainSilence, type Answerer } from "./sendRequest.ts";
import { keepInTab, readInTab } from "./tabStorage.ts";
import type { PlacedViolation } from "./violationMarks.ts";

/** The current choices in the controls of the answerer. */
interface Chosen {
  readonly answerer: Answerer;
  /** The server in the code of the request. */
  readonly server: string;
  /** Who gets the credentials: the origin of the server, or the mock in the page. */
  readonly receiver: string;
  /** What is chosen, in a few words. */
  readonly summary: string;
  readonly violation?: PlacedViolation | undefined;
}

interface AnswererFields {
  /** A note about the choice. */
  readonly note?: HTMLElement;
  readonly element: HTMLElement;
  readonly read: () => Chosen;
}

const key = `docs.answered-by ${sitePath}`;

/** Lets a reader choose the mock in the page or a server, with the controls of each. Without a mock, only a server. */
export function answererFields(data: TryItData, kept: KeptValues): AnswererFields {
  const ofServer = serverFields(data, kept);
  if (data.pageMock === undefined) return ofServer;
  const ofPage = pageFields(data.pageMock, data.request.server);
  const all = new Map([
    ["page", ofPage],
    ["server", ofServer],
  ]);
  const names = [...all.keys()];
  const first = readInTab(key) || (data.pageMock.isFirst ? "page" : "server");
  const input = () => {
    keepInTab(key, names[select.selectedIndex] ?? "");
    show();
  };
  const labels = ["the mock in this page", "a server"];
  const select = choice(labels, Math.max(names.indexOf(first), 0), { input, "data-place": pagePlace });
  const chosen = () => all.get(names[select.selectedIndex] ?? "") ?? ofPage;
  const [note, holder] = [element("div"), element("div")];
  const { pageMock } = data;
  const show = () => {
    if (chosen() === ofPage) loadAhead(pageMock);
    note.replaceChildren(chosen().note ?? "");
    holder.replaceChildren(chosen().element);
  };
  show();
  return {
    element: element("div", {}, labelled("Send to", select, "", [select, note]), holder),
    read: () => chosen().read(),
  };
}

function serverFields({ isMock: mayBeMock, request, pageMock }: TryItData, kept: KeptValues): AnswererFields {
  const note = element("div", { class: "hint" });
  const isMock = () => mayBeMock && server.value === request.server;
  const reset = () => (isMock() ? resetButton(() => resetServer(request.server)) : undefined);
  const showNote = () => {
    const elsewhere = "This isn't the mock of these docs, so requests have real effects.";
    const mock = pageMock ? "This is the mock on your own machine, if it runs there" : "This is the mock";
    note.replaceChildren(isMock() ? `${mock}. Requests have no real effects.` : elsewhere, reset() ?? "");
  };
  const place = "server:";
  const attributes = { ...typed, type: "url", "data-place": place, "aria-required": "true" };
  const server = element("input", { ...attributes, input: showNote });
  server.value = request.server;
  // An operation may have a server of its own.
  kept.bind(server, () => `server ${request.server}`)();
  showNote();
  let receiver = "";
  const read = () => {
    const text = server.value.trim();
    const url = URL.parse(text);
    const isWeb = url !== null && ["http:", "https:"].includes(url.protocol);
    // While a part of the address is missing, the receiver is the one before.
    if (isWeb) receiver = url.origin;
    const isAddress = isWeb && !(url.username || url.password || url.search || url.hash);
    const message = "Enter an address that begins with http:// or https://, without a user name, ? or #.";
    const address = withoutSlashes(text);
    const answerer: Answerer = {
      ...{ name: "The server", signature: `The response comes from ${address}`, progress: "Sending…" },
      ...{ isMock: isMock(), place, server: address, reset },
      answer: (sent) => fetch(sent),
      explain: async () =>
        (await explainSilence(address)) + (pageMock ? " The mock in this page needs no server." : ""),
    };
    const summary = isAddress ? url.host + withoutSlashes(url.pathname) : "no server";
    return { answerer, server: address, receiver, summary, violation: isAddress ? undefined : { place, message } };
  };
  return { element: labelled("Server", server, "", [server, note]), read };
}

/** The faults that readers can choose, to see what their own code has to handle. */
const faults: readonly AskedFault[] = [
  { status: 429, retryAfter: 1 },
  { status: 500 },
  { status: 503, retryAfter: 1 },
  { delay: 2000 },
];

function nameOfFault({ status }: AskedFault): string {
  return status === undefined ? "after 2 seconds" : `with ${status} ${reasonPhrase(status)}`;
}

function pageFields(scripts: PageMock, server: string): AnswererFields {
  const said =
    "A mock in your browser responds, and keeps your changes until you close this tab. Nothing goes over the network.";
  const labels = ["as usual", ...faults.map(nameOfFault)];
  const select = choice(labels, 0, {});
  const { answerer, memory } = pageAnswerer(scripts, () =>
    faults.filter((_, index) => index + 1 === select.selectedIndex),
  );
  return {
    note: element("div", {}, hint(said), memory),
    element: labelled("It responds", select),
    read: () => {
      const receiver = "the mock in this page";
      const { selectedIndex: fault } = select;
      return { answerer, server, receiver, summary: fault > 0 ? `${receiver}, ${labels[fault]}` : receiver };
    },
  };
}
