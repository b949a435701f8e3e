/* The targets of calls: only resources that the run created, or that the file with values names. */
import type { Operation } from "../contract/generation.ts";
import { isSegment, pathParameters } from "../spec/pathTemplate.ts";
import type { SkipReason } from "../exchange/observation.ts";
import { untested } from "./skipReasons.ts";
import { givenValue } from "./givenValues.ts";
import type { CallChoice, CreatedResource, CallRun } from "./oneCall.ts";
import { isDelete, type PlannedCall } from "./planCalls.ts";

/** The target of a call: a resource that this run created, or that the file with values names. Otherwise the reason. */
export function chooseTarget(run: CallRun, planned: PlannedCall): CallChoice | SkipReason {
  const { operation, change } = planned;
  if (change === undefined || change.kind === "creates") {
    const path = new Map<string, unknown>(change?.given);
    for (const name of pathParameters(operation.path)) {
      const value = identifierFor(run, planned, name);
      if (isSegment(value)) path.set(name, value);
    }
    return change === undefined ? { path } : withWholePath(operation, { path });
  }
  if (change.isNamed) return withWholePath(operation, { path: change.given });
  const [own] = change.kind === "deletes" ? [] : ownTargets(run, planned);
  return own ?? untested.notOurs(operation, change.parameter, isDelete(planned));
}

export function withWholePath(operation: Operation, choice: CallChoice): CallChoice | SkipReason {
  const missing = pathParameters(operation.path).filter((name) => !choice.path.has(name));
  return missing.length === 0 ? choice : untested.onlyExamples(missing);
}

/** The resources that the run certainly created and has not yet deleted at a server, as targets of an operation on their type. */
export function ownTargets(run: CallRun, planned: PlannedCall): readonly CallChoice[] {
  const { operation, server, change } = planned;
  const { target } = change ?? {};
  if (target === undefined) return [];
  const { type, key } = target;
  const targets = run.created
    .filter((one) => one.type === type && one.server === server && one.state === "kept")
    .map((own) => callTarget(run, planned, own, key));
  return targets.filter((choice) => !("code" in withWholePath(operation, choice)));
}

/** A created resource as the target of an operation whose path identifies it with a parameter. */
export function callTarget(
  run: CallRun,
  planned: PlannedCall,
  own: CreatedResource,
  key = planned.resource?.key,
): CallChoice {
  const path = new Map<string, unknown>();
  for (const name of pathParameters(planned.operation.path)) {
    // The same identifier may belong to another resource below other parents.
    const parent = own.path.get(name) ?? own.properties[name];
    const other = own.type.scope.includes(name) ? undefined : identifierFor(run, planned, name);
    const value = key !== undefined && name === key.parameter ? own.properties[key.property] : (parent ?? other);
    if (isSegment(value)) path.set(name, value);
  }
  return { path, own };
}

/** The value of a path parameter: from the file, or else an identifier from a response. */
function identifierFor(
  run: CallRun,
  { generation, operation, resource, server, change }: PlannedCall,
  name: string,
): unknown {
  const given = givenValue(run.values, generation, operation, name);
  const ancestor = resource?.ancestors.find(({ key }) => key.parameter === name);
  if (given !== undefined || ancestor === undefined) return given;
  const own = run.created.filter((one) => one.server === server && one.state === "kept");
  // Never change anything with an identifier from another server.
  const seen = run.seen.filter((one) => change === undefined || one.server === server);
  return [...own, ...seen]
    .filter(({ type }) => type === ancestor.type)
    .map(({ properties }) => properties[ancestor.key.property])
    .find(isSegment);
}
