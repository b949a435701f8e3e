import { messageOf } from "../../../contract/failures.ts";
import { copyText } from "../copyText.ts";
import { button, element, type Child } from "../elements.ts";
import { span } from "./pageParts.ts";
import { curlOf, missingPart, overrideLike, sendAgain, whyNotAgain } from "./requestCopies.ts";
import type { RequestEntry } from "./requestFacts.ts";

/** What the actions need to know of the page. */
export interface ActionSurroundings {
  readonly hasDocs: boolean;
  readonly hasUpstream: boolean;
  readonly edit: (title: string, text: string, send?: (text: string) => Promise<unknown>) => void;
  readonly addOverride: (rule: string, session: string) => Promise<unknown>;
}

/** What can be done with a request, or why it can't. */
export function requestActions(entry: RequestEntry, surroundings: ActionSurroundings): HTMLElement {
  const { hasUpstream, edit } = surroundings;
  const canCopy = missingPart(entry) === undefined;
  const notAgain = hasUpstream ? "this mock forwards requests, which could change real data" : whyNotAgain(entry);
  const refusal = notAgain && `Can't be ${canCopy ? "" : "copied or "}sent again: ${notAgain}.`;
  const outcome = element("span", { class: "outcome", role: "status" }, refusal);
  const say = (text: string) => {
    outcome.textContent = text;
  };
  const copy = () => {
    copyCurl(entry, say, edit);
  };
  const again = () => {
    say("Sending …");
    sendAgain(entry).then(
      ({ status }) => {
        say(`Sent again: ${status}.`);
      },
      (error: unknown) => {
        say(`No response: ${messageOf(error)}.`);
      },
    );
  };
  return element(
    "div",
    { class: "actions" },
    canCopy && button("Copy as curl", { click: copy }),
    notAgain === undefined && button("Send again", { click: again }),
    overrideButton(entry, surroundings),
    outcome,
    operationName(entry, surroundings),
  );
}

function overrideButton(entry: RequestEntry, { edit, addOverride }: ActionSurroundings): Child {
  const rule = overrideLike(entry);
  const title = "Answer like this next time";
  const click = () => {
    edit(title, JSON.stringify(rule, null, 2), (text) => addOverride(text, entry.session ?? ""));
  };
  return rule && button(title, { click });
}

function operationName({ operation, generation = "" }: RequestEntry, { hasDocs }: ActionSurroundings): Child {
  if (operation === undefined) return undefined;
  const name = `${operation} of ${generation}`;
  if (!hasDocs) return span("operation", name);
  const href = `docs?${new URLSearchParams({ generation, operation })}`;
  return element("a", { href, class: "operation", title: "Open its page in the docs" }, name);
}

function copyCurl(entry: RequestEntry, say: (text: string) => void, edit: ActionSurroundings["edit"]): void {
  const { command, variables } = curlOf(entry);
  const advice = variables.length === 0 ? "" : ` Set ${variables.join(" and ")} first: the mock keeps no secrets.`;
  copyText(command).then(
    () => {
      say(`Copied.${advice}`);
    },
    () => {
      edit("Copy as curl", command);
    },
  );
}
