// @ts-check
/** @param {string} title @param {readonly Record<string, string | number>[]} rows */
export function printTable(title, rows) {
  console.log(title);
  console.table(rows);
}
