import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { problemFrom } from './problem.js';
import type { Caller } from './types.js';

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
  return data;
}

/** Exchanges an API key for a cookie that scripts cannot read; resolves to its tenant. @throws {ApiProblem} */
export async function signIn(apiKey: string): Promise<string> {
  const { data, error, response } = await api.POST('/api/console-sessions/', { body: { api_key: apiKey } });
  if (data === undefined) throw problemFrom(response.status, error);
  return data.tenant_id;
}

export async function signOut(): Promise<void> {
  const { error, response } = await api.DELETE(CURRENT);
  if (!response.ok && response.status !== 401) throw problemFrom(response.status, error);
}
