/** A place in the body as RFC 9457 names it: `#/config/budget/cost` (RFC 6901: `~` and `/` inside a name are escaped). */
export function pointerTo(path: readonly PropertyKey[]): string {
  return ['#', ...path.map(escapePointer)].join('/');
}

function escapePointer(key: PropertyKey): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}
