import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { readFile } from "node:fs/promises";
import { isObject } from "../../scripts/values/json.ts";

/** What the schema of CycloneDX 1.6 finds wrong with a bill of materials; an empty text if it's valid. */
export async function checkBillOfMaterials(bom: unknown): Promise<string> {
  const ajv = new Ajv({ strict: false, formats: { "idn-email": true, "iri-reference": true } });
  addFormats.default(ajv);
  for (const name of ["spdx", "jsf-0.82", "cryptography-defs", "bom-1.6"]) {
    const file = `${name}.SNAPSHOT.schema.json`;
    const schema = await readFile(`node_modules/@cyclonedx/cyclonedx-library/res/schema/${file}`, "utf8");
    const parsed: unknown = JSON.parse(schema);
    if (isObject(parsed)) ajv.addSchema(parsed, `http://cyclonedx.org/schema/${file}`);
  }
  const isValid = ajv.validate("http://cyclonedx.org/schema/bom-1.6.SNAPSHOT.schema.json", bom);
  return isValid ? "" : ajv.errorsText();
}
