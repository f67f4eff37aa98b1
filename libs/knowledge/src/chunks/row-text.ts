/** Formats a table row for reading on its own: values with column names, without empty cells. Pure. */
export function rowText(cells: readonly (readonly [column: string, value: string])[]): string {
  return cells
    .filter(([, value]) => value.trim() !== '')
    .map(([column, value]) => (column.trim() === '' ? value.trim() : `${column.trim()}: ${value.trim()}`))
    .join('; ');
}
