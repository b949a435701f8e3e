/** A `date-time` of RFC 3339, section 5.6: its date, its time of day, the fraction of a second, and the offset from UTC. */
const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/i;

const minute = 60_000;

/**
 * Reads a `date-time` of RFC 3339, in milliseconds since the epoch; `undefined` if a text is none, whatever else it may
 * mean: `Date.parse` takes many others, and reads some of them in the time zone of the machine.
 */
export function readDateTime(text: string): number | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1, 7).map(Number);
  const [fraction = "0", sign, offsetHours = "0", offsetMinutes = "0"] = found.slice(7);
  if (hours > 23 || minutes > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const date = new Date(0);
  // Unlike `Date.UTC`, this takes the year 99 for itself. The 30th of February becomes a day in March.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -minute : minute);
  const second = date.getTime() + (hours * 60 + minutes) * minute + seconds * 1_000 - offset;
  if (seconds > 59 && !(seconds === 60 && isMonthStart(second))) return undefined;
  return second + Number(fraction) * 1_000;
}

/** A leap second is the last one of a month in UTC (RFC 3339, section 5.7): counted on, it is the first one of the next. */
function isMonthStart(time: number): boolean {
  return new Date(time).toISOString().endsWith("-01T00:00:00.000Z");
}

/** The `date-time` in UTC of milliseconds since the epoch; `undefined` outside the years 0 to 9999, which have none. */
export function writeDateTime(time: number): string | undefined {
  const text = new Date(Math.ceil(time)).toISOString().replace(".000Z", "Z");
  return /^\d{4}-/.test(text) ? text : undefined;
}
