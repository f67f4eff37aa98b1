// @ts-check
/**
 * The middle one, or the mean of the two in the middle; not a number when there are none.
 * @param {readonly number[]} values
 * @returns {number}
 */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
