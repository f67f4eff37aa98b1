import type { RetrievalHit } from './retrieval.js';

/**
 * Merges hits that are adjacent in a document, under the rank and id of the best one and without repeated text; ranks
 * are renumbered. Pure.
 */
export function mergeNeighbours(hits: readonly RetrievalHit[]): readonly RetrievalHit[] {
  const inOrder = hits.toSorted((a, b) => compare(a.documentId, b.documentId) || a.ordinal - b.ordinal);
  const groups: RetrievalHit[][] = [];
  for (const hit of inOrder) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNext = last?.documentId === hit.documentId && last.ordinal + 1 === hit.ordinal;
    if (isNext) group?.push(hit);
    else groups.push([hit]);
  }
  return groups
    .map(joined)
    .toSorted((a, b) => a.rank - b.rank)
    .map((hit, index) => ({ ...hit, rank: index + 1 }));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function joined(group: readonly RetrievalHit[]): RetrievalHit {
  const [first, ...rest] = group;
  const best = group.reduce((a, b) => (b.rank < a.rank ? b : a));
  if (first === undefined || rest.length === 0) return best;
  let before = first;
  let { text } = first;
  for (const hit of rest) {
    text += continuation(before, hit);
    before = hit;
  }
  const { ordinal, page, headings, repeatedChars } = first;
  const score = Math.max(...group.map((hit) => hit.score));
  return { ...best, ordinal, page, headings, repeatedChars, score, text };
}

/** Text of a hit that follows the previous one, with its heading if that differs. */
function continuation(before: RetrievalHit, hit: RetrievalHit): string {
  if (hit.repeatedChars > 0) return hit.text.slice(hit.repeatedChars);
  const isSame = before.headings.join('\n') === hit.headings.join('\n');
  const heading = hit.headings.at(-1);
  return isSame || heading === undefined ? `\n${hit.text}` : `\n\n${heading}\n${hit.text}`;
}
