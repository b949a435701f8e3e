/** A file of the site. */
export interface SiteFile {
  /** Relative to the site's root, with slashes. */
  readonly path: string;
  readonly content: string;
}
