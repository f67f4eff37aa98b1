import { isJsonObject, type JsonValue } from '#libs/kernel';
import { shorten } from './shorten.js';

/** Characters that clients see of one text inside the input of a call (3.I-17). */
const LONGEST_TEXT = 500;

/**
 * What followers see of a call's input, in events and in the log of messages: its shape, with long texts cut. The whole of
 * it is in the audit, and in what a person is asked to approve.
 */
export function shownInput(input: unknown): JsonValue {
  if (typeof input === 'string') return shorten(input, LONGEST_TEXT);
  if (Array.isArray(input)) return input.map(shownInput);
  if (isJsonObject(input))
    return Object.fromEntries(Object.entries(input).map(([key, inner]) => [key, shownInput(inner)]));
  return typeof input === 'number' || typeof input === 'boolean' ? input : null;
}
