const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in at most two units, as short as it can be read. */
export function formatMs(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  // What rounds up to a minute is one.
  if (ms < MINUTE - SECOND / 20) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < HOUR) return pair(ms, [MINUTE, 'min'], [SECOND, 's']);
  return ms < 2 * DAY ? pair(ms, [HOUR, 'h'], [MINUTE, 'min']) : pair(ms, [DAY, 'd'], [HOUR, 'h']);
}

function pair(ms: number, [large, name]: Unit, [small, smallName]: Unit): string {
  const rounded = Math.round(ms / small) * small;
  const rest = (rounded % large) / small;
  const whole = `${Math.floor(rounded / large)} ${name}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}

type Unit = readonly [ms: number, name: string];

/** `2026-01-31 09:00:00` where the reader is. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}
