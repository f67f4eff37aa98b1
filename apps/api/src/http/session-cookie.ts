import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isLoopbackHost } from './disabled-auth.js';

/** The credential of a signed-in browser: `<id>_<secret>`. */
export interface SessionToken {
  /** UUID: names the session in lists. */
  readonly id: string;
  /** 256 random bits as base64url. */
  readonly secret: string;
}

const COOKIE = 'capstan_session';
const FORMAT = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

export function makeSessionToken(id: string): SessionToken {
  return { id, secret: randomBytes(32).toString('base64url') };
}

/** Null for text that cannot be a token, so that the database is not asked about it. */
export function parseSessionToken(text: string): SessionToken | null {
  const [, id, secret] = FORMAT.exec(text) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : null;
}

/** Text of the session cookie; null without one. */
export function readSessionCookie({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${COOKIE}=`));
  return found === undefined ? null : found.slice(COOKIE.length + 1);
}

type Arrival = Pick<FastifyRequest, 'protocol' | 'headers'>;

/** `Set-Cookie` of a new session. */
export function sessionCookie(arrival: Arrival, { id, secret }: SessionToken, seconds: number): string {
  return `${COOKIE}=${id}_${secret}; Max-Age=${seconds}; ${attributesFor(arrival)}`;
}

/** `Set-Cookie` that removes the cookie. */
export function endedCookie(arrival: Arrival): string {
  return `${COOKIE}=; Max-Age=0; ${attributesFor(arrival)}`;
}

/** Plain HTTP is for a browser on the machine of the service: not every browser keeps a `Secure` cookie there. */
function attributesFor({ protocol, headers }: Arrival): string {
  const isLocal = protocol === 'http' && isLoopbackHost(headers.host ?? '');
  return `Path=/; HttpOnly; SameSite=Strict${isLocal ? '' : '; Secure'}`;
}
