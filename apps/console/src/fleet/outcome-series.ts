import type { Overview } from '../api/types.js';
import type { Window } from './fleet-search.js';

/** Length of a part of the overview in seconds. */
const STEP: Readonly<Record<Window, number>> = { '1h': 300, '24h': 3_600, '7d': 21_600 };

export const OUTCOMES = ['completed', 'incomplete', 'failed', 'cancelled'] as const;

/** Settled runs of each part of the window by outcome; parts that the answer leaves out hold zeros. Pure. */
export function outcomeSeries({ window, from, to, parts }: Overview) {
  const step = STEP[window];
  const first = Date.parse(from) / 1000;
  const count = Math.max(1, Math.ceil((Date.parse(to) / 1000 - first) / step));
  const times = Array.from({ length: count }, (_, index) => first + index * step);
  const byTime = new Map(parts.map((part) => [Date.parse(part.from) / 1000, part]));
  const values = OUTCOMES.map((outcome) => times.map((time) => byTime.get(time)?.[outcome] ?? 0));
  return { times, step, values };
}
