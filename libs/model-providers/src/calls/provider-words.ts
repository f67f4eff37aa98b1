import { redactText } from '#libs/agent-core';
import { isJsonObject, toStorableText } from '#libs/kernel';

/** Longer texts are cut before they are searched; no provider explains itself at such length. */
const LONGEST_READ = 4_000;

/**
 * What a provider says of a failure, in one line and without what is or looks like a secret; null where it says nothing.
 *
 * @param said its message, or an error object with a `message`
 * @param secrets what must not stand in it, whatever it looks like
 */
export function providerWords(said: unknown, secrets: readonly string[]): string | null {
  const message = isJsonObject(said) ? said['message'] : said;
  if (typeof message !== 'string') return null;
  const line = toStorableText(message.slice(0, LONGEST_READ)).replaceAll(/\s+/g, ' ').trim();
  return line === '' ? null : redactText(line, secrets);
}
