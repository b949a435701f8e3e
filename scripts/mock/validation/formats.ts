/**
 * Formats for ajv in place of those of ajv-formats (3.0.1). Its dates and times (RFC 3339, section 5.6) may have a space for
 * the `T`, and offsets without a colon or without minutes. Its `url` takes minutes for some texts of a megabyte.
 */
export const formats = { date: isDate, time: isTime, "date-time": isDateTime, url: isUrl } as const;

function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S*$/i.test(text) && URL.canParse(text);
}

const timeParts = /^((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.\d+)?(z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

function isDate(text: string): boolean {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN);
  // The 30th of February is read as a day in March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** A leap second is the last one of a day in UTC. */
function isTime(text: string): boolean {
  const [, minutes, seconds, offset = ""] = timeParts.exec(text) ?? [];
  if (minutes === undefined || seconds !== "60") return minutes !== undefined;
  return new Date(`2000-01-01T${minutes}:59${offset.toUpperCase()}`).toISOString().endsWith("T23:59:59.000Z");
}

/** A leap second is the last one of a month in UTC (RFC 3339, section 5.7). */
function isDateTime(text: string): boolean {
  const [date, time] = [text.slice(0, 10), text.slice(11)];
  if (!/^.{10}t/i.test(text) || !isDate(date) || !isTime(time)) return false;
  const [, minutes = "", seconds, offset = ""] = timeParts.exec(time) ?? [];
  if (seconds !== "60") return true;
  const before = new Date(`${date}T${minutes}:59${offset.toUpperCase()}`);
  return new Date(before.getTime() + 1_000).toISOString().endsWith("-01T00:00:00.000Z");
}
