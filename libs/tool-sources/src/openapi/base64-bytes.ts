import type { JsonValue } from '#libs/kernel';
import { UnsendableArgument } from './unsendable-argument.js';

/** Decodes base64 written by a model. Throws an `UnsendableArgument` if it is invalid. */
export function base64Bytes(name: string, value: JsonValue): Uint8Array<ArrayBuffer> {
  const isBase64 = typeof value === 'string' && /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value);
  if (!isBase64) throw new UnsendableArgument(`Invalid value of ${name}: it must be bytes in base64`);
  return new Uint8Array(Buffer.from(value, 'base64'));
}
