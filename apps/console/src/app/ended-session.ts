import type { Caller } from '../api/types.js';
import { forget, keep, readKept } from '../ui/kept.js';

const LAST = 'capstan.session';

/** The session of this browser, by which the sign-in page knows one that has ended from none. It is no secret. */
export interface LastSession {
  readonly tenant: string;
  /** ISO time of its expiry. */
  readonly until: string;
}

/** Null for anything else than a session that was written here. Pure. */
export function parseLastSession(text: string | null): LastSession | null {
  try {
    const kept = JSON.parse(text ?? 'null') as Partial<LastSession> | null;
    const { tenant, until } = kept ?? {};
    return typeof tenant === 'string' && typeof until === 'string' ? { tenant, until } : null;
  } catch {
    return null;
  }
}

/** Why a person has to sign in again; null where nothing has ended. Pure. */
export function whyEnded(last: LastSession | null, now: number): string | null {
  if (last === null) return null;
  return Date.parse(last.until) <= now
    ? 'You were signed out: the session or its key has expired.'
    : 'You were signed out: the key was revoked, or the session was ended elsewhere.';
}

/** The session that this browser had before it was signed out by others than its person; null without one. */
export const readLastSession = (): LastSession | null => parseLastSession(readKept(LAST));

/** Keeps the session for the sign-in page. With `auth` `off` there is none, and nothing to keep. */
export function keepSession({ tenant_id: tenant, expires_at: until }: Caller): void {
  if (until !== null) keep(LAST, JSON.stringify({ tenant, until }));
}

/** For a person who signs out: nothing has ended that they did not want. */
export const forgetSession = (): void => forget(LAST);
