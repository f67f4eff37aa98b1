/**
 * Where parsed JSON holds a number that no double can, such as `1e999`: JSON has no word for what it became, so that it
 * would be stored as null and pass for "not given". Null where there is none. The value must not be deeper than a call
 * stack.
 */
export function findHugeNumber(value: unknown): readonly (string | number)[] | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [key, item] of entries) {
    const below = findHugeNumber(item);
    if (below !== null) return [key, ...below];
  }
  return null;
}
