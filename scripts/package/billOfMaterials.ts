import { formatJson } from "../contract/documentText.ts";
import type { BundledPackage } from "./bundledPackages.ts";

/**
 * Lists the bundled packages, which package.json doesn't mention, for audit tools: as JSON of CycloneDX 1.6
 * (ECMA-424, 1st edition). The output is deterministic.
 */
export function formatBillOfMaterials(own: { name: string; version: string }, packages: readonly BundledPackage[]) {
  return formatJson({
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: describeComponent(own.name, own.version) },
    components: packages.map(({ name, version, license }) => ({
      ...describeComponent(name, version),
      ...(license !== undefined && { licenses: [{ expression: license }] }),
    })),
  });
}

function describeComponent(fullName: string, version: string) {
  const [scope = "", scopedName] = fullName.split("/");
  // https://github.com/package-url/purl-spec/blob/main/types-doc/npm-definition.md
  const purl = `pkg:npm/${fullName.replace("@", "%40")}@${version}`;
  const names = scopedName === undefined ? { name: fullName } : { group: scope, name: scopedName };
  return { type: "library", "bom-ref": purl, ...names, version, purl };
}
