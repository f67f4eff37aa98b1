import type { JsonObject } from '#libs/kernel';

/** Types of an answer's blocks that have fields of their own in a neutral answer. */
const TRANSLATED: ReadonlySet<string> = new Set(['text', 'tool_use']);
/** Types that other APIs keep in the same place. */
const FOREIGN: ReadonlySet<string> = new Set(['chat_reasoning', 'reasoning']);

/**
 * Whether a block of an answer is returned to the provider as it came: signed or redacted reasoning, and blocks of types
 * that this service does not know. Reasoning without a signature is refused, so it stays here.
 */
export function isReturnable(block: JsonObject): boolean {
  const { type, signature } = block;
  if (typeof type !== 'string' || TRANSLATED.has(type) || FOREIGN.has(type)) return false;
  return type !== 'thinking' || (typeof signature === 'string' && signature !== '');
}
