import { distance } from 'fastest-levenshtein';

/** A key that means nothing here, and the one that was probably meant. */
export interface ResemblingKey {
  readonly key: string;
  readonly meant: string;
}

const FARTHEST = 2;

/** Keys of an object that only look known: one or two letters away from one that means something. Pure. */
export function findResemblingKeys(keys: readonly string[], known: readonly string[]): ResemblingKey[] {
  return keys.flatMap((key) => {
    if (known.includes(key)) return [];
    const [nearest] = known
      .map((meant) => ({ key, meant, letters: distance(key.toLowerCase(), meant) }))
      .filter(({ meant, letters }) => letters <= FARTHEST && letters < meant.length - 1)
      .toSorted((a, b) => a.letters - b.letters);
    return nearest === undefined ? [] : { key, meant: nearest.meant };
  });
}
