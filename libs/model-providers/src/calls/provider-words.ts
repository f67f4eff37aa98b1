import { redactText } from '#libs/agent-core';
import { toStorableText } from '#libs/kernel';
import { errorWords } from './error-words.js';

/** Maximum characters of a message that are searched. */
const MAX_READ = 4_000;

/**
 * A provider's error message in one line, with secrets redacted; null if there is none.
 *
 * @param said the message, or an error body in any form that `errorWords` knows
 * @param secrets values to redact in any case
 */
export function providerWords(said: unknown, secrets: readonly string[]): string | null {
  const line = toStorableText(errorWords(said).slice(0, MAX_READ)).replaceAll(/\s+/g, ' ').trim();
  return line === '' ? null : redactText(line, secrets);
}
