/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {string} title @param {readonly Record<string, string | number>[]} rows */
export function printTable(title, rows) {
  console.log(title);
  console.table(rows);
}
