import { hash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '#libs/kernel';
import { InvalidRequestError } from '../http/request-errors.js';

const MAX_CHARACTERS = 255;
/** RFC 9651: printable ASCII in quotes, with `\"` and `\\`. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
/** Unquoted, as many clients send it: printable ASCII without space, quote and comma. */
const BARE = /^[!#-+\--~]+$/;

/** The key of an `Idempotency-Key` header, quoted or bare; null without the header. Throws for other values. */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = readKey(header.trim());
  if (key === null || key.length === 0 || key.length > MAX_CHARACTERS) {
    const detail = `must be 1 to ${MAX_CHARACTERS} visible ASCII characters, in double quotes or without spaces and commas`;
    throw new InvalidRequestError([{ header: 'Idempotency-Key', detail }]);
  }
  return key;
}

function readKey(text: string): string | null {
  const quoted = QUOTED.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll(/\\(["\\])/g, '$1');
  return BARE.test(text) ? text : null;
}

/** SHA-256 of route and body, hexadecimal; the order of fields does not matter. */
export function hashRequest(route: string, body: JsonValue): string {
  return hash('sha256', `${route}\n${canonicalJson(body)}`, 'hex');
}
