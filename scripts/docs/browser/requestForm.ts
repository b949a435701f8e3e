import type { SampleRequest } from "../../samples/writeRequest.ts";
import type { TryItData } from "../model/tryItData.ts";
import { bodyEditor } from "./bodyEditor.ts";
import { credentialFields } from "./credentialFields.ts";
import { element, labelled, typed } from "./elements.ts";
import { parameterFields } from "./parameterFields.ts";
import type { PlacedViolation } from "./violationMarks.ts";

interface RequestForm {
  readonly elements: readonly HTMLElement[];
  /** The request as the controls have it, or why there is none that could be sent. */
  readonly read: () => SampleRequest | readonly PlacedViolation[];
}

/** The controls for everything that an operation's request has. */
export function requestForm(data: TryItData, onChange: () => void): RequestForm {
  const { request, isMock, requestDefinitions } = data;
  const note = element("p", { class: "hint" });
  const showNote = () => {
    const isUnchanged = server.value === request.server;
    note.textContent =
      isMock && isUnchanged
        ? "This is the mock: nothing real happens."
        : "This is not the mock: the request does what the operation says.";
  };
  const server = element("input", {
    ...{ ...typed, type: "url", "data-place": "server:", "aria-required": "true" },
    input: () => {
      showNote();
      onChange();
    },
  });
  server.value = request.server;
  showNote();
  const credentials = credentialFields(data.security, request.credentials, onChange);
  const parameters = parameterFields(data.parameters, request.parameters, requestDefinitions, onChange);
  const body = data.body && bodyEditor(data.body, request.contentType, requestDefinitions, onChange);
  const serverRow = labelled("Server (required)", server);
  serverRow.append(note);
  return {
    elements: [
      serverRow,
      ...(credentials === undefined ? [] : [credentials.element]),
      ...parameters.elements,
      ...(body === undefined ? [] : [body.element]),
    ],
    read: () => {
      const { sent, violations: unread } = parameters.read();
      const content = body?.read() ?? { contentType: undefined, body: undefined, encoding: {} };
      const violations = [
        ...serverViolations(server.value),
        ...unread,
        ...pathViolations(request.path, sent, unread),
        ...("message" in content ? [content] : []),
      ];
      if (violations.length > 0 || "message" in content) return violations;
      return {
        ...request,
        ...content,
        server: server.value.trim().replace(/\/+$/, ""),
        parameters: sent,
        credentials: credentials?.read() ?? [],
      };
    },
  };
}

function serverViolations(text: string): readonly PlacedViolation[] {
  const violation = (message: string) => [{ place: "server:", message }];
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol))
    return violation("Enter an address that begins with http:// or https://.");
  if (url.username !== "" || url.password !== "")
    return violation("Enter the address without a user name or password.");
  if (url.search !== "" || url.hash !== "") return violation("Enter the address without ? and #.");
  return [];
}

/** A value that would lead to another path: `.` and `..` are no segments of a URL (URL Standard, section 4.4). */
function pathViolations(
  path: string,
  sent: SampleRequest["parameters"],
  unread: readonly PlacedViolation[],
): readonly PlacedViolation[] {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  return names.flatMap((name) => {
    const value = sent.find((parameter) => parameter.in === "path" && parameter.name === name)?.value;
    const place = `path:${name}`;
    if (unread.some((violation) => violation.place === place)) return [];
    if (value === undefined) return [{ place, message: `Enter ${name}: the path needs it.` }];
    if (value === "." || value === "..")
      return [{ place, message: `${name} cannot be ${value}: that leads to another path.` }];
    return [];
  });
}
