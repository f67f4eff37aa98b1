/** The distribution of durations. */
export interface Distribution {
  readonly count: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly maxMs: number | null;
}

export function distributionOf(values: readonly number[]): Distribution {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) =>
    sorted.length === 0 ? null : Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  return { count: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}
