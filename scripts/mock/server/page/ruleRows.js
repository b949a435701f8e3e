// @ts-check
import { button, code, countOf, element, expandable, members, preview } from "./dom.js";

/** @import { FaultRule } from "../../mockTypes.ts" */
/** @typedef {Readonly<Record<string, unknown>>} Members */
/** A rule of any kind. A response that is a function is absent. @typedef {Pick<FaultRule, "generation" | "operation" | "times"> & Members & { readonly id: string, readonly used: number, readonly when?: Members, readonly respond?: Members }} Rule */

/**
 * @param {"fault" | "override"} kind
 * @param {Rule} rule
 * @param {(path: string) => void} remove
 */
export function ruleRow(kind, rule, remove) {
  const { id, operation = "every operation", generation, times, used, when, respond, ...effects } = rule;
  const isUsedUp = times === 0;
  const effect = preview(respond ?? effects) || "a function of the program";
  const left = isUsedUp ? ", none left" : times === undefined ? "" : `, ${times} left`;
  const name = generation === undefined ? operation : `${operation} of ${generation}`;
  const removal = button("Remove", () => {
    remove(`${kind}s/${encodeURIComponent(id)}`);
  });
  const summary = [
    element("span", "kind", `${kind} ${id}`),
    element("code", "name", name),
    element("span", "remark", when === undefined ? effect : `${effect}, if ${preview(when)}`),
    element("span", "chip", `${countOf(used, "use")}${left}`),
  ];
  const row = expandable(isUsedUp ? "rule used-up" : "rule", summary, () => [
    !isUsedUp && element("div", "actions", removal),
    code(JSON.stringify(rule, null, 2)),
  ]);
  row.dataset["name"] = `${kind} ${id}`;
  return row;
}

/** @param {Members} resource */
export function resourceRow({ type, index, scope, properties, absent, isDeleted }) {
  const known = Object.assign({}, scope, properties);
  const absentNames = Array.isArray(absent) && absent.length > 0 ? absent.join(", ") : undefined;
  const summary = [
    element("span", "kind", String(type)),
    element("span", "remark", preview(known)),
    isDeleted === true && element("span", "chip", "deleted"),
  ];
  const row = expandable("resource", summary, () => [members(known), members({ absent: absentNames })]);
  row.dataset["name"] = `${String(type)} ${String(index)}`;
  return row;
}

/**
 * What a reset takes away.
 *
 * @param {{ readonly requests: number, readonly resources: number, readonly rules: number }} counts
 */
export function describeLoss({ requests, rules, resources }) {
  return `${countOf(requests, "request")}, ${countOf(rules, "rule")} and ${countOf(resources, "resource")}`;
}
