import type { SampleRequest } from "../../samples/writeRequest.ts";
import type { TryItData } from "../model/tryItData.ts";
import { bodyEditor } from "./bodyEditor.ts";
import { credentialFields, keepable, keepChoice } from "./credentialFields.ts";
import { element, labelled, typed } from "./elements.ts";

import { resetButton } from "./mockServer.ts";
import { parameterFields } from "./parameterFields.ts";

/** The controls for everything that an operation's request has. */
export function requestForm(data: TryItData) {
  const { request } = data;
  const note = element("div", { class: "hint" });
  const isMock = () => data.isMock && server.value === request.server;
  const showNote = () => {
    const elsewhere = "This is not the mock of these docs: a request does what the operation says.";
    note.replaceChildren(isMock() ? "This is the mock: nothing real happens." : elsewhere);
    if (isMock()) note.append(resetButton(request.server));
  };
  const attributes = { ...typed, type: "url", "data-place": "server:", "aria-required": "true" };
  const server = element("input", { ...attributes, input: showNote });
  server.value = request.server;
  keepable("server", server);
  showNote();
  const credentials = credentialFields(data);
  const parameters = parameterFields(data);
  const body = bodyEditor(data);
  return {
    elements: [
      labelled("Server (required)", server, "", [server, note]),
      credentials.element,
      keepChoice,
      ...parameters.elements,
      body.element,
    ],
    isMock,
    /** The request as the controls have it; or the violations for which it cannot be sent. */
    read: () => {
      const sent = parameters.read();
      const { value, violation, contentType, encoding } = body.read();
      const message = serverViolation(server.value);
      const violations = [
        ...(message === undefined ? [] : [{ place: "server:", message }]),
        ...[...sent.map((parameter) => parameter.violation), violation].filter((one) => one !== undefined),
      ];
      if (violations.length > 0) return { request: undefined, violations };
      const current: SampleRequest = {
        ...{ ...request, contentType, encoding, body: value },
        server: server.value.trim().replace(/\/+$/, ""),
        parameters: sent.filter((parameter) => parameter.value !== undefined),
        credentials: credentials.read(),
      };
      return { request: current, violations };
    },
  };
}

function serverViolation(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return "Enter an address that begins with http:// or https://.";
  if (url.username !== "" || url.password !== "") return "Enter the address without a user name or password.";
  return url.search === "" && url.hash === "" ? undefined : "Enter the address without ? and #.";
}
