/** The part of the package that is used here. It has no types of its own. */
declare module "turndown-plugin-gfm" {
  import type TurndownService from "turndown";

  export const strikethrough: TurndownService.Plugin;
  export const tables: TurndownService.Plugin;
}
