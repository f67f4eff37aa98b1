/**
 * The same items under ids of their own: one whose id stands before it already, or is blank, gets another one. Servers give
 * several calls one id, and pair each result with its call by the id alone.
 */
export function withUniqueIds<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  const taken = new Set(items.map((item) => item.id));
  const used = new Set<string>();
  return items.map((item, at) => {
    const isFree = item.id.trim() !== '' && !used.has(item.id);
    const id = isFree ? item.id : freeId(item.id.trim() === '' ? 'call' : item.id, at + 1, taken);
    used.add(id);
    return isFree ? item : { ...item, id };
  });
}

/** Takes the id, so that no later item gets it. */
function freeId(base: string, from: number, taken: Set<string>): string {
  for (let number = from; ; number += 1) {
    const id = `${base}_${number}`;
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}
