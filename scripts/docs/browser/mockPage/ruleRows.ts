import type { FaultRule } from "../../../mock/mockTypes.ts";
import { countOf } from "../../../values/text.ts";
import { button, element } from "../elements.ts";
import { codeBlock, expandable, members, preview, span } from "./pageParts.ts";

type Members = Readonly<Record<string, unknown>>;

/** A rule of any kind. A response that is a function is absent. */
export interface Rule extends Pick<FaultRule, "generation" | "operation" | "times"> {
  readonly id: string;
  readonly used: number;
  readonly when?: Members;
  readonly respond?: Members;
}

export function ruleRow(kind: "fault" | "override", rule: Rule, remove: (path: string) => void): HTMLElement {
  const { id, operation = "every operation", generation, times, used, when, respond, ...effects } = rule;
  const isUsedUp = times === 0;
  const effect = preview(respond ?? effects) || "a function of the program";
  const left = isUsedUp ? ", none left" : times === undefined ? "" : `, ${times} left`;
  const title = `${kind} ${id}`;
  const summary = [
    span("kind", title),
    element("code", { class: "name" }, generation === undefined ? operation : `${operation} of ${generation}`),
    span("remark", when === undefined ? effect : `${effect}, if ${preview(when)}`),
    span("chip", `${countOf(used, "use")}${left}`),
  ];
  const click = () => {
    remove(`${kind}s/${encodeURIComponent(id)}`);
  };
  const describe = () => [
    !isUsedUp && element("div", { class: "actions" }, button("Remove", { click })),
    codeBlock(JSON.stringify(rule, null, 2)),
  ];
  return expandable(isUsedUp ? "rule used-up" : "rule", summary, describe, title);
}

export function resourceRow({ type, index, scope, properties, absent, isDeleted }: Members): HTMLElement {
  const known: Members = Object.assign({}, scope, properties);
  const absentNames = Array.isArray(absent) && absent.length > 0 ? absent.join(", ") : undefined;
  const summary = [
    span("kind", String(type)),
    span("remark", preview(known)),
    isDeleted === true && span("chip", "deleted"),
  ];
  const describe = () => [members(known), members({ absent: absentNames })];
  return expandable("resource", summary, describe, `${String(type)} ${String(index)}`);
}
