import { MAX_JSON_DEPTH, toStorableJson } from '#libs/kernel';
import type { FastifyInstance } from 'fastify';
import { findEncoding } from './encoded-body.js';
import { InvalidRequestError, pointerTo } from './request-errors.js';

/** Maximum body in bytes (1 MiB); a longer one is answered 413 before it is read. */
export const MAX_BODY_BYTES = 1_048_576;
/** Maximum keys in one body; the largest useful request has a few hundred. */
const MAX_JSON_KEYS = 10_000;

const LIMITS: JsonLimits = { depth: MAX_JSON_DEPTH, keys: MAX_JSON_KEYS };
interface BodyFault {
  readonly code: string;
  readonly detail: string;
}

const EXCESSES: Readonly<Record<keyof JsonLimits, BodyFault>> = {
  depth: { code: 'JSON_TOO_DEEP', detail: `must not be nested deeper than ${LIMITS.depth} levels` },
  keys: { code: 'JSON_TOO_MANY_KEYS', detail: `must not have more than ${LIMITS.keys} keys` },
};
const NOT_TEXT: BodyFault = { code: 'INVALID_JSON', detail: 'must be UTF-8 text' };
const NOT_JSON: BodyFault = { code: 'INVALID_JSON', detail: 'must be valid JSON' };
const REACHES_FOR_PROTOTYPES: BodyFault = {
  code: 'INVALID_JSON',
  detail: 'must not have keys that reach for prototypes: __proto__, constructor.prototype',
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Accepts `application/json` only; other content types, and compressed bodies, are answered 415. The parsed value has no
 * `__proto__` keys, at most {@link MAX_JSON_DEPTH} levels and {@link MAX_JSON_KEYS} keys, and only text that PostgreSQL
 * can store.
 */
export function readJsonBodies(instance: FastifyInstance): void {
  const parseJson = instance.getDefaultJsonParser('error', 'error');
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined);
    const encoded = findEncoding(request);
    if (encoded !== null) return done(encoded);
    const excess = findJsonExcess(LIMITS, bytes);
    if (excess !== null) return done(refuse(EXCESSES[excess]));
    const text = attempt(() => utf8.decode(bytes));
    if (text === null) return done(refuse(NOT_TEXT));
    return parseJson(request, text, (error, value: unknown) => {
      if (error) return done(refuse(isJson(text) ? REACHES_FOR_PROTOTYPES : NOT_JSON));
      const huge = findHugeNumber(value);
      if (huge !== null) return done(tooLarge(huge));
      return done(null, toStorableJson(value));
    });
  });
}

function isJson(text: string): boolean {
  return attempt(() => ({ value: JSON.parse(text) as unknown })) !== null;
}

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function refuse({ code, detail }: BodyFault): InvalidRequestError {
  return new InvalidRequestError([{ pointer: '#', detail }], { code });
}

function tooLarge(path: readonly PropertyKey[]): InvalidRequestError {
  return new InvalidRequestError([{ pointer: pointerTo(path), detail: 'is too large for a number' }]);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

const COLON = 0x3a;

/** Limits of a JSON text. */
interface JsonLimits {
  /** Maximum nesting of arrays and objects. */
  readonly depth: number;
  /** Maximum keys of all objects together. */
  readonly keys: number;
}

/**
 * The limit that a JSON text exceeds, or null. It scans bytes before parsing: a million brackets block the process for a
 * third of a second and overflow the stack later; a hundred thousand keys become as many objects and faults.
 */
export function findJsonExcess(limits: JsonLimits, json: Uint8Array): keyof JsonLimits | null {
  let depth = 0;
  let keys = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] ?? 0;
    if (isInString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    // Outside strings each key has one colon.
    else if (byte === COLON) keys += 1;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth > limits.depth) return 'depth';
    if (keys > limits.keys) return 'keys';
  }
  return null;
}

/**
 * The path of a number that overflows a double, for example `1e999`; null if there is none. JSON would store it as null,
 * which passes for an omitted value. The value's depth must be limited, since the search recurses.
 */
export function findHugeNumber(value: unknown): readonly (string | number)[] | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [key, item] of entries) {
    const below = findHugeNumber(item);
    if (below !== null) return [key, ...below];
  }
  return null;
}
