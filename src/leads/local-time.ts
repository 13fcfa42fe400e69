interface ZoneFormats {
  day: Intl.DateTimeFormat;
  time: Intl.DateTimeFormat;
}

/** Kept, because making one costs a hundred times its use; there are as many as the rooftops have zones. */
const formats = new Map<string, ZoneFormats>();

/** Visits are asked for at the same few hours: the texts of some weeks of them. */
const MOST_TEXTS = 1_000;
const MINUTE_MS = 60_000;

/** By zone and minute. */
const texts = new Map<string, string>();

/** A time, in milliseconds since 1970, as the dealer's wall clock shows it: `Sunday, May 3, 2026 at 11:00 AM PDT`. */
export function localTime(epochMs: number, timeZone: string): string {
  const key = `${timeZone} ${Math.floor(epochMs / MINUTE_MS)}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  if (texts.size >= MOST_TEXTS) texts.clear();
  const text = newText(epochMs, timeZone);
  texts.set(key, text);
  return text;
}

function newText(epochMs: number, timeZone: string): string {
  const { day, time } = formats.get(timeZone) ?? keepFormats(timeZone);
  // ICU puts a narrow no-break space before AM and PM, which plain-text readers show as a box.
  return `${day.format(epochMs)} at ${time.format(epochMs)}`.replace(/\u202F/g, ' ');
}

function keepFormats(timeZone: string): ZoneFormats {
  const made = {
    day: new Intl.DateTimeFormat('en-US', {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      year: 'numeric',
      timeZone,
    }),
    time: new Intl.DateTimeFormat('en-US', {
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
      timeZone,
    }),
  };
  formats.set(timeZone, made);
  return made;
}
