// @ts-check
import { button, element, link, messageOf } from "./dom.js";
import { curlOf, missingPart, overrideLike, sendAgain, whyNotAgain } from "./requestCopies.js";

/** @import { RequestEntry } from "../../mockTypes.ts" */
/** @import { Surroundings } from "./requestDetails.js" */

/**
 * What can be done with a request, or why it can't.
 *
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
export function requestActions(entry, surroundings) {
  const { operation, generation = "" } = entry;
  const { hasDocs, hasUpstream, edit } = surroundings;
  const noCopy = missingPart(entry);
  const notAgain = hasUpstream ? "this mock forwards requests, which could change real data" : whyNotAgain(entry);
  const outcome = element("span", "outcome", notAgain && whyNot(noCopy === undefined, notAgain));
  outcome.setAttribute("role", "status");
  /** @param {string} text */
  const say = (text) => {
    outcome.textContent = text;
  };
  const copy = button("Copy as curl", () => {
    copyCurl(entry, say, edit);
  });
  const resend = button("Send again", () => {
    void again(entry, say);
  });
  return element(
    "div",
    "actions",
    noCopy === undefined && copy,
    notAgain === undefined && resend,
    overrideButton(entry, surroundings),
    outcome,
    operation !== undefined && operationName(operation, generation, hasDocs),
  );
}

/**
 * @param {boolean} canCopy
 * @param {string} reason
 */
function whyNot(canCopy, reason) {
  return `Can't be ${canCopy ? "" : "copied or "}sent again: ${reason}.`;
}

/**
 * @param {RequestEntry} entry
 * @param {Surroundings} surroundings
 */
function overrideButton(entry, { edit, addOverride }) {
  const rule = overrideLike(entry);
  const title = "Answer like this next time";
  const open = () => {
    edit(title, JSON.stringify(rule, null, 2), (text) => addOverride(text, entry.session ?? ""));
  };
  return rule && button(title, open);
}

/**
 * @param {string} operation
 * @param {string} generation
 * @param {boolean} hasDocs
 */
function operationName(operation, generation, hasDocs) {
  const name = `${operation} of ${generation}`;
  if (!hasDocs) return element("span", "operation", name);
  const shown = link(name, `docs?${new URLSearchParams({ generation, operation })}`);
  shown.className = "operation";
  shown.title = "Open its page in the docs";
  return shown;
}

/**
 * @param {RequestEntry} entry
 * @param {(text: string) => void} say
 * @param {Surroundings["edit"]} edit
 */
function copyCurl(entry, say, edit) {
  const { command, variables } = curlOf(entry);
  const names = variables.join(" and ");
  const advice = names === "" ? "" : ` Set ${names} first: the mock keeps no secrets.`;
  // Browsers have no clipboard for pages of other hosts without TLS.
  const copied = "clipboard" in navigator ? navigator.clipboard.writeText(command) : Promise.reject(new Error());
  copied.then(
    () => {
      say(`Copied.${advice}`);
    },
    () => {
      edit("Copy as curl", command);
    },
  );
}

/**
 * @param {RequestEntry} entry
 * @param {(text: string) => void} say
 */
async function again(entry, say) {
  say("Sending …");
  await sendAgain(entry).then(
    ({ status }) => {
      say(`Sent again: ${status}.`);
    },
    (/** @type {unknown} */ error) => {
      say(`No response: ${messageOf(error)}.`);
    },
  );
}
