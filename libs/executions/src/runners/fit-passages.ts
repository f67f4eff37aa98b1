import { mergedText, type PinnedRetrieval } from '#libs/agent-core';
import type { Passage } from '#libs/tooling';

/**
 * The passages that fit into so many characters together, best first, up to the first that does not: one that is worse never
 * takes the place of a better one. Of the best, where it is too long by itself, the beginning.
 */
export function fitPassages(
  passages: readonly Passage[],
  merge: PinnedRetrieval['merge'],
  mostChars: number,
): readonly Passage[] {
  const fitting: Passage[] = [];
  let room = mostChars;
  for (const passage of passages) {
    const { length } = mergedText(passage, merge);
    if (length > room) break;
    fitting.push(passage);
    room -= length + 1;
  }
  const [best] = passages;
  if (fitting.length > 0 || best === undefined) return fitting;
  return shorten(best, mergedText(best, merge).length - mostChars);
}

/** None where nothing of its text would be left. */
function shorten(passage: Passage, excess: number): readonly Passage[] {
  const text = passage.text.slice(0, Math.max(0, passage.text.length - excess));
  const whole = /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
  return whole === '' ? [] : [{ ...passage, text: whole }];
}
