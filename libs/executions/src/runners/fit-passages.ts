import { mergedText, type PinnedRetrieval } from '#libs/agent-core';
import type { Passage } from '#libs/tooling';

/**
 * Selects passages in rank order until the first that does not fit; a worse passage never replaces a better one. If even
 * the best one is too long, its beginning is used.
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

/** Empty if no text would be left. */
function shorten(passage: Passage, excess: number): readonly Passage[] {
  const text = passage.text.slice(0, Math.max(0, passage.text.length - excess));
  const whole = /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
  return whole === '' ? [] : [{ ...passage, text: whole }];
}
