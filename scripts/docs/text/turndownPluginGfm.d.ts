/** What is used of the package, which has no types of its own. */
declare module "turndown-plugin-gfm" {
  import type TurndownService from "turndown";

  export const strikethrough: TurndownService.Plugin;
  export const tables: TurndownService.Plugin;
}
