const MIN_EDIT_LIKENESS = 0.65;
const MIN_MISSPELLING = 4;
const MIN_FRAGMENT = 3;
const BEGINNING = 0.85;
const INSIDE = 0.7;

/**
 * Similarity of two folded words, 0 to 1: 1 if equal, the share of matching letters for a misspelling, 0.85 for an
 * abbreviation, 0.7 for a part of a compound, else 0. Numbers must be equal.
 */
export function wordLikeness(asked: string, known: string): number {
  if (asked === known) return 1;
  if (/\d/.test(asked + known)) return 0;
  return Math.max(editLikeness(asked, known), fragmentLikeness(asked, known));
}

function fragmentLikeness(asked: string, known: string): number {
  const [fragment, whole] = asked.length < known.length ? [asked, known] : [known, asked];
  if (fragment.length < MIN_FRAGMENT) return 0;
  if (whole.startsWith(fragment)) return BEGINNING;
  return whole.includes(fragment) ? INSIDE : 0;
}

function editLikeness(a: string, b: string): number {
  if (Math.min(a.length, b.length) < MIN_MISSPELLING) return 0;
  const likeness = 1 - editDistance(a, b) / Math.max(a.length, b.length);
  return likeness >= MIN_EDIT_LIKENESS ? likeness : 0;
}

/** Number of insertions, deletions, replacements and swaps of neighbouring letters (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? cell(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return cell(last, b.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
