/** The instant of a date-time (RFC 3339, section 5.6), in milliseconds; `undefined` if a value is none. */
export function instantOf(value: unknown): number | undefined {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(String(value));
  const instant = isTime ? Date.parse(String(value)) : NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

/** A regular expression for each way to write an instant, in any time zone. */
export function instantPattern(instant: number): string {
  // Time zones differ from UTC by quarters of an hour.
  const offsets = Array.from({ length: 191 }, (_, index) => 15 * (index - 95));
  const forms = offsets.map((offset) => {
    const [, time = "", milliseconds = ""] =
      /^(.*)\.(\d+)Z$/.exec(new Date(instant + offset * 60_000).toISOString()) ?? [];
    const zone = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16);
    const significant = milliseconds.replace(/0+$/, "");
    const fraction = significant === "" ? "(?:\\.0+)?" : `\\.${significant}0*`;
    return `${time}${fraction}${offset === 0 ? "(?:Z|[+-]00:00)" : `[${offset < 0 ? "-" : "+"}]${zone}`}`;
  });
  return `^(?:${forms.join("|")})$`;
}
