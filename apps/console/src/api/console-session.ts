import { problemFrom } from './problem.js';

/** Session of the console, as `GET /api/console-sessions/current/` answers it. */
export interface ConsoleSession {
  /** `off`: the service asks for no key, and there is nothing to sign in to. */
  readonly auth: 'off' | 'api-key';
  readonly tenant_id: string;
  readonly scopes: readonly string[];
  readonly key_name: string | null;
  readonly expires_at: string | null;
}

const ALL_SCOPES = ['admin'];
const NO_AUTH: ConsoleSession = {
  auth: 'off',
  tenant_id: 'default',
  scopes: ALL_SCOPES,
  key_name: null,
  expires_at: null,
};
const CURRENT = '/api/console-sessions/current/';

/** Null before sign-in. A service that knows no console sessions asks for no key either. */
export async function readConsoleSession(): Promise<ConsoleSession | null> {
  const response = await fetch(CURRENT);
  if (response.status === 401) return null;
  if (response.status === 404) return NO_AUTH;
  if (!response.ok) throw problemFrom(response.status, await bodyOf(response));
  return (await response.json()) as ConsoleSession;
}

/** Exchanges an API key for a cookie that scripts cannot read. @throws {ApiProblem} */
export async function signIn(apiKey: string): Promise<void> {
  const response = await fetch('/api/console-sessions/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  });
  if (!response.ok) throw problemFrom(response.status, await bodyOf(response));
}

export async function signOut(): Promise<void> {
  const response = await fetch(CURRENT, { method: 'DELETE' });
  if (!response.ok && response.status !== 401) {
    throw problemFrom(response.status, await bodyOf(response));
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}
