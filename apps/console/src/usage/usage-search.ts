export const SPLITS = ['model', 'agent', 'executor', 'tenant', 'scope'] as const;
export type Split = (typeof SPLITS)[number];
export const MEASURES = ['cost', 'tokens', 'calls'] as const;
export type Measure = (typeof MEASURES)[number];
export const WINDOWS = ['24h', '7d', '30d'] as const;
export type Window = (typeof WINDOWS)[number];

/** State of the page of usage, as its address holds it. */
export interface UsageSearch {
  readonly by?: Split;
  readonly show?: Measure;
  readonly window?: Window;
  /** First day in UTC, `YYYY-MM-DD`; wins over `window` together with `to`. */
  readonly from?: string;
  /** Last day in UTC, included. */
  readonly to?: string;
  readonly agent?: number;
  readonly executor?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MAX_DAYS = 366;

/** Takes the parts of an address that make sense. Pure. */
export function usageSearchOf(search: Readonly<Record<string, unknown>>): UsageSearch {
  const by = SPLITS.find((each) => each === search['by']);
  const show = MEASURES.find((each) => each === search['show']);
  const window = WINDOWS.find((each) => each === search['window']);
  const { from, to, executor } = search;
  const agent = Number(search['agent']);
  const hasDays = isDay(from) && isDay(to) && areDays(from, to);
  return {
    ...(by === undefined ? {} : { by }),
    ...(show === undefined ? {} : { show }),
    ...(hasDays ? { from, to } : window === undefined ? {} : { window }),
    ...(Number.isInteger(agent) && agent > 0 ? { agent } : {}),
    ...(typeof executor === 'string' && executor !== '' && executor.length <= 200 ? { executor } : {}),
  };
}

/** Why two days are no range that can be asked for; null where they are. Pure. */
export function faultOfDays(from: string, to: string): string | null {
  if (!isDay(from) || !isDay(to)) return 'Choose a first and a last day.';
  if (from > to) return 'The first day is after the last one.';
  return areDays(from, to) ? null : `At most ${MAX_DAYS} days can be summed at once.`;
}

export interface UsageRange {
  /** Inclusive, ISO 8601. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
  /** Length of the parts that the range is shown in. */
  readonly unit: 'hour' | 'day';
}

/**
 * Range of time that an address asks for: whole hours or days in UTC, up to the current minute, so that the same question is
 * asked only once a minute. Pure.
 * @param now Unix time in ms
 */
export function rangeOf({ window = '7d', from, to }: UsageSearch, now: number): UsageRange {
  if (from !== undefined && to !== undefined) {
    const end = Date.parse(to) + DAY_MS;
    const unit = end - Date.parse(from) <= 2 * DAY_MS ? 'hour' : 'day';
    return { from: iso(Date.parse(from)), to: iso(end), unit };
  }
  const end = iso(Math.floor(now / 60_000) * 60_000 + 60_000);
  if (window === '24h') return { from: iso(floor(now, HOUR_MS) - 23 * HOUR_MS), to: end, unit: 'hour' };
  const days = window === '7d' ? 7 : 30;
  return { from: iso(floor(now, DAY_MS) - (days - 1) * DAY_MS), to: end, unit: 'day' };
}

/** Beginnings of the parts of a range, as Unix times in seconds. Pure. */
export function partsOf({ from, to, unit }: UsageRange): number[] {
  const step = unit === 'hour' ? HOUR_MS : DAY_MS;
  const first = Date.parse(from);
  const count = Math.ceil((Date.parse(to) - first) / step);
  return Array.from({ length: count }, (_, index) => (first + index * step) / 1000);
}

const floor = (time: number, step: number): number => Math.floor(time / step) * step;
const iso = (time: number): string => new Date(time).toISOString();

function isDay(day: unknown): day is string {
  return typeof day === 'string' && DAY.test(day) && !Number.isNaN(Date.parse(day));
}

function areDays(from: string, to: string): boolean {
  return from <= to && Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY_MS;
}
