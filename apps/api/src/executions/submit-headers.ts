import type { Submission } from '#libs/executions';
import type { JsonValue } from '#libs/kernel';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { singleHeader } from '../http/request-values.js';
import { hashRequest, parseIdempotencyKey } from '../idempotency/idempotency-key.js';
import { TokenKeeper } from './token-keeper.js';

const MAX_WAIT_SECONDS = 60;

/** The supported preferences of a submit. */
export interface SubmitPreferences {
  /** Seconds from 1 to {@link MAX_WAIT_SECONDS}; null if the client does not wait. */
  readonly waitSeconds: number | null;
  /** `lenient` answers 200 for a failed execution; null if the client states no preference. */
  readonly handling: 'strict' | 'lenient' | null;
}

/** Reads `Prefer: wait=N, handling=lenient` (RFC 7240); ignores unknown preferences. */
export function parseSubmitPreferences(header: string | undefined): SubmitPreferences {
  const preferences = parsePreferences(header);
  const handling = preferences.get('handling')?.toLowerCase();
  return {
    waitSeconds: readSeconds(preferences.get('wait') ?? ''),
    handling: handling === 'strict' || handling === 'lenient' ? handling : null,
  };
}

/** Value of `Preference-Applied` for a waiting submit. */
export function describeApplied({ waitSeconds, handling }: SubmitPreferences): string {
  return `wait=${waitSeconds}${handling === null ? '' : `, handling=${handling}`}`;
}

function readSeconds(text: string): number | null {
  if (!/^\d{1,9}$/.test(text)) return null;
  const seconds = Math.min(Number(text), MAX_WAIT_SECONDS);
  return seconds === 0 ? null : seconds;
}

/** Splits at commas outside quotes; an unclosed quote extends to the end. */
const PREFERENCES = /(?:[^,"]|"(?:[^"\\]|\\.)*"|"[^]*$)+/g;
/** A name with an optional value (token or quoted) and optional parameters, which supported preferences do not have. */
const PREFERENCE = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";]*)))?\s*(?:;.*)?$/;

/**
 * Preferences of a `Prefer` header by lower-case name, with an empty text for a missing value (RFC 7240). Malformed
 * preferences are ignored, and the first of a name counts, as the standard requires.
 */
export function parsePreferences(header: string | undefined): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const [text] of (header ?? '').matchAll(PREFERENCES)) {
    const [, name, quoted, token] = PREFERENCE.exec(text) ?? [];
    if (name === undefined || preferences.has(name.toLowerCase())) continue;
    preferences.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '');
  }
  return preferences;
}

/** Reads the idempotency keys of requests that create executions. */
@Injectable()
export class SubmitKeys {
  constructor(private readonly tokenKeeper: TokenKeeper) {}

  /**
   * The key with a hash of the request; null without the header. The raw body is hashed, so that defaults added by later
   * releases do not change the hash.
   * @param route method and path
   */
  read(request: FastifyRequest, tenantId: string, route: string): Submission['idempotency'] {
    const key = parseIdempotencyKey(singleHeader(request, 'idempotency-key'));
    if (key === null) return null;
    // Parsed from JSON by Fastify.
    const body = this.tokenKeeper.conceal(
      (request.body ?? {}) as JsonValue,
      `${tenantId}/idempotency/${key}`,
    );
    return { key, requestSha256: hashRequest(route, body) };
  }
}
