/* What the mock in the page makes random values with. */
import * as jsonSchemaFaker from "json-schema-faker";

window.docsMockLibraries = { ...window.docsMockLibraries, jsonSchemaFaker };
