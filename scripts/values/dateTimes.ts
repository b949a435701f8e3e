/** A `date-time` of RFC 3339, section 5.6: its date, its time of day, the fraction of a second, and the offset from UTC. */
const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/i;

const minute = 60_000;
const fourCenturies = 146_097 * 24 * 60 * minute;

/**
 * Reads a `date-time` of RFC 3339. Returns milliseconds since the epoch, or `undefined` for any other text.
 * `Date.parse` accepts other forms, and reads some of them in the machine's time zone.
 */
export function readDateTime(text: string): number | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  const [, yearText, monthText, dayText, hourText, minuteText, secondText, fraction, sign, offsetHour, offsetMinute] =
    found;
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  const [hours, minutes, seconds] = [Number(hourText), Number(minuteText), Number(secondText)];
  const [offsetHours, offsetMinutes] = [Number(offsetHour ?? 0), Number(offsetMinute ?? 0)];
  if (hours > 23 || minutes > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  // Date.UTC takes the year 99 for 1999. The calendar repeats every 400 years.
  const local = Date.UTC(year + 400, month - 1, day, hours, minutes, seconds) - fourCenturies;
  const offset = (offsetHours * 60 + offsetMinutes) * minute;
  const second = sign === "-" ? local + offset : local - offset;
  if (seconds > 59 && !(seconds === 60 && isMonthStart(second))) return undefined;
  return fraction === undefined ? second : second + Number(fraction) * 1_000;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * A leap second is the last second of a month in UTC (RFC 3339, section 5.7). One later, it's the first
 * second of the next month.
 */
function isMonthStart(time: number): boolean {
  return new Date(time).toISOString().endsWith("-01T00:00:00.000Z");
}

/**
 * Writes milliseconds since the epoch as a `date-time` in UTC. Returns `undefined` outside the years 0 to
 * 9999.
 */
export function writeDateTime(time: number): string | undefined {
  const text = new Date(Math.ceil(time)).toISOString().replace(".000Z", "Z");
  return /^\d{4}-/.test(text) ? text : undefined;
}
