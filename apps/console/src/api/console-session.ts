import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { problemFrom } from './problem.js';
import type { Caller } from './types.js';
import { forget, keep, readKept } from '../ui/kept.js';
import { parseLastSession, type LastSession } from './ended-session.js';

const LAST = 'capstan.session';
const CURRENT = '/api/console-sessions/current/';

/** Tenant and scopes of the browser; null before sign-in. With `auth` `off` there is nothing to sign in to. */
export const consoleSessionQuery = queryOptions({
  queryKey: ['console-session'],
  queryFn: readConsoleSession,
  staleTime: 60_000,
});

async function readConsoleSession(): Promise<Caller | null> {
  const { data, error, response } = await api.GET(CURRENT);
  if (response.status === 401) return null;
  if (data === undefined) throw problemFrom(response.status, error);
  if (data.expires_at !== null)
    keep(LAST, JSON.stringify({ tenant: data.tenant_id, until: data.expires_at }));
  return data;
}

/** The session that this browser had before it was signed out by others than its person; null without one. */
export const readLastSession = (): LastSession | null => parseLastSession(readKept(LAST));

/** Exchanges an API key for a cookie that scripts cannot read; resolves to its tenant. @throws {ApiProblem} */
export async function signIn(apiKey: string): Promise<string> {
  const { data, error, response } = await api.POST('/api/console-sessions/', { body: { api_key: apiKey } });
  if (data === undefined) throw problemFrom(response.status, error);
  return data.tenant_id;
}

export async function signOut(): Promise<void> {
  const { error, response } = await api.DELETE(CURRENT);
  if (!response.ok && response.status !== 401) throw problemFrom(response.status, error);
  forget(LAST);
}
