import { utf8Length } from '#libs/kernel';

/** How many bytes of UTF-8 a value has as JSON. */
export function jsonBytes(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}
