import { redactText } from '#libs/agent-core';
import { toStorableText } from '#libs/kernel';
import { errorWords } from './error-words.js';

/** Longer texts are cut before they are searched; no provider explains itself at such length. */
const LONGEST_READ = 4_000;

/**
 * What a provider says of a failure, in one line and without what is or looks like a secret; null where it says nothing.
 *
 * @param said its message, or its answer in any shape that `errorWords` knows
 * @param secrets what must not stand in it, whatever it looks like
 */
export function providerWords(said: unknown, secrets: readonly string[]): string | null {
  const line = toStorableText(errorWords(said).slice(0, LONGEST_READ)).replaceAll(/\s+/g, ' ').trim();
  return line === '' ? null : redactText(line, secrets);
}
