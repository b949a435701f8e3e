/* The library that writes XML for the mock in the page. */
import * as fastXmlBuilder from "fast-xml-builder";

window.docsMockLibraries = { ...window.docsMockLibraries, fastXmlBuilder };
