import { utf8Length } from '#libs/kernel';

/** Bytes of a value as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}
