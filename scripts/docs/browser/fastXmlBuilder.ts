/* What the mock in the page writes XML with. */
import * as fastXmlBuilder from "fast-xml-builder";

window.docsMockLibraries = { ...window.docsMockLibraries, fastXmlBuilder };
