/** Pure: a row of a table as it is read by itself: values behind the names of their columns, without empty cells. */
export function rowText(cells: readonly (readonly [column: string, value: string])[]): string {
  return cells
    .filter(([, value]) => value.trim() !== '')
    .map(([column, value]) => (column.trim() === '' ? value.trim() : `${column.trim()}: ${value.trim()}`))
    .join('; ');
}
