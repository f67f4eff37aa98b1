/**
 * Items in the order that their keys had before, and new ones after them, so that no row moves under the pointer. Pure.
 */
export function keepOrder<Item>(
  before: readonly string[],
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Item[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  const known = before.flatMap((key) => {
    const item = byKey.get(key);
    return item === undefined ? [] : [item];
  });
  const seen = new Set(before);
  return [...known, ...items.filter((item) => !seen.has(keyOf(item)))];
}
