import { isJsonObject, type JsonValue } from '#libs/kernel';
import { shorten } from './shorten.js';

/** Maximum characters that clients see of each string in a call's input (3.I-17). */
const MAX_TEXT = 500;

/**
 * A call's input as events and the message log show it: same shape, with long strings cut. The audit and approval
 * requests hold the full input.
 */
export function shownInput(input: unknown): JsonValue {
  if (typeof input === 'string') return shorten(input, MAX_TEXT);
  if (Array.isArray(input)) return input.map(shownInput);
  if (isJsonObject(input))
    return Object.fromEntries(Object.entries(input).map(([key, inner]) => [key, shownInput(inner)]));
  return typeof input === 'number' || typeof input === 'boolean' ? input : null;
}
