// @ts-check
/**
 * The middle value, or the mean of the two middle values; NaN without values.
 * @param {readonly number[]} values
 * @returns {number}
 */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
