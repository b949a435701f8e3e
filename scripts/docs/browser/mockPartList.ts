import type { OpenApiDocument } from "../../spec/openapi.ts";
import { pathParameters } from "../../spec/pathTemplate.ts";
import { percentDecode } from "../../values/percentEncoding.ts";

/** Documents by the names of their generations. */
export type Documents = Readonly<Record<string, OpenApiDocument>>;

/** Facts about a part of the contract, known before it's loaded. */
export interface ListedPart {
  /** The name of its script, which is beside this one. */
  readonly script: string;
  /** The paths of its operations. */
  readonly paths: readonly string[];
  /** The names of the resource types of these operations. */
  readonly types: readonly string[];
}

/** The parts that a request needs. If no operation has its path, all of them, so that a similar path can be named. */
export function partsOfPath(list: readonly ListedPart[], path: string): readonly ListedPart[] {
  const segments = segmentsOf(path).map((segment) => percentDecode(segment) ?? segment);
  const own = list.filter(({ paths }) => paths.some((template) => mayMatch(segmentsOf(template), segments)));
  return own.length === 0 ? list : own;
}

/** The parts that contain some types of resources. */
export function partsOfTypes(list: readonly ListedPart[], types: readonly string[]): readonly ListedPart[] {
  return list.filter((part) => types.some((type) => part.types.includes(type)));
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/");
}

/** Checks whether segments match a template. A segment with a parameter matches any. */
function mayMatch(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) => part === segments[index] || pathParameters(part).length > 0)
  );
}
