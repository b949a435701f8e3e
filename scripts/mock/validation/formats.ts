/** Formats in place of those of ajv-formats (3.0.1), whose `url` takes minutes for some texts of a megabyte. */
export const formats = { "date-time": isDateTime, url: isUrl } as const;

const dateTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d):([0-5]\d|60)(?:\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** RFC 3339, section 5.6, which allows neither a space for the `T` nor offsets without a colon or without minutes. */
function isDateTime(text: string): boolean {
  const [, minute = "", second, offset = ""] = dateTime.exec(text.toUpperCase()) ?? [];
  const start = new Date(`${minute}Z`);
  // The 30th of February is read as a day in March.
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(minute)) return false;
  if (second !== "60") return true;
  // A leap second is the last one of a month in UTC (section 5.7).
  const next = new Date(Date.parse(`${minute}:59${offset}`) + 1_000);
  return next.toISOString().endsWith("-01T00:00:00.000Z");
}

function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S*$/i.test(text) && URL.canParse(text);
}
