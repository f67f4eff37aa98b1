import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '#libs/kernel';
import { parsePreferences } from '../http/parse-preferences.js';
import { InvalidRequestError } from '../http/request-errors.js';

const MAX_CHARACTERS = 255;
/** RFC 9651: printable ASCII in quotes, with `\"` and `\\`. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
/** Without quotes, as many clients send it: printable ASCII without space, quote and comma. */
const BARE = /^[!#-+\--~]+$/;

/** The key of an `Idempotency-Key` header, quoted or bare; null without the header. Throws for anything else. */
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

/** What distinguishes two requests under one key: SHA-256 of route and body, whatever the order of the body's fields. */
export function hashRequest(route: string, body: JsonValue): string {
  return createHash('sha256')
    .update(`${route}\n${canonicalJson(body)}`)
    .digest('hex');
}

const MAX_WAIT_SECONDS = 60;

/** The preferences of a submit that are honoured. */
export interface SubmitPreferences {
  /** From 1 to {@link MAX_WAIT_SECONDS}; null where the client does not wait. */
  readonly waitSeconds: number | null;
  /** `lenient`: a failed execution that was waited for is answered 200; null where the client does not say. */
  readonly handling: 'strict' | 'lenient' | null;
}

/** Reads `Prefer: wait=N, handling=lenient` (RFC 7240). What is not understood is ignored. */
export function parseSubmitPreferences(header: string | undefined): SubmitPreferences {
  const preferences = parsePreferences(header);
  const handling = preferences.get('handling')?.toLowerCase();
  return {
    waitSeconds: readSeconds(preferences.get('wait') ?? ''),
    handling: handling === 'strict' || handling === 'lenient' ? handling : null,
  };
}

/** The value of `Preference-Applied` for a submit that waits. */
export function describeApplied({ waitSeconds, handling }: SubmitPreferences): string {
  return `wait=${waitSeconds}${handling === null ? '' : `, handling=${handling}`}`;
}

function readSeconds(text: string): number | null {
  if (!/^\d{1,9}$/.test(text)) return null;
  const seconds = Math.min(Number(text), MAX_WAIT_SECONDS);
  return seconds === 0 ? null : seconds;
}
