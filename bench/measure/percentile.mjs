// @ts-check
/**
 * Nearest-rank percentile, so that the result is a measured value.
 * @param {readonly number[]} values
 * @param {number} percent 0..100
 */
export function percentile(values, percent) {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}
