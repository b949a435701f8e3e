/* The library that generates random values for the mock in the page. */
import * as jsonSchemaFaker from "json-schema-faker";

window.jsonSchemaFaker = jsonSchemaFaker;
