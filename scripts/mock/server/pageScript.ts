import { bundleForBrowsers } from "./bundleForBrowsers.ts";

/** The script of the mock's page. Packaging replaces this module with one that has the script. */
export const pageScript = bundleForBrowsers("mockPage/mockPage.ts");
