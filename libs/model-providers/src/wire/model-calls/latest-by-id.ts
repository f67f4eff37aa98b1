/** Keeps one item per id: a later one replaces an earlier one at the earlier one's position. */
export function latestById<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
