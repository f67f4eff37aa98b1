import { ApiError, type Capstan, type Schemas } from '../client/index.js';
import { explainError } from './explain-error.js';

export interface Check {
  readonly name: string;
  readonly outcome: 'ok' | 'warning' | 'failed';
  /** The finding. */
  readonly found: string;
  /** The remedy; null where there is nothing to do. */
  readonly advice: string | null;
}

interface Doctored {
  readonly client: Capstan;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** Webhooks and signed links fail where clocks are further apart. */
const MAX_SKEW_MS = 60_000;

/** Checks of the service, as far as a client can see; those after a failed one may be missing. */
export async function* examine({
  client,
  version,
  signal,
  now,
}: Doctored): AsyncGenerator<Check, void, undefined> {
  const options = { signal, maxRetries: 0, timeout: 10_000 };
  const askedAt = now();
  const alive = await outcomeOf(client.health.getLiveness(options).withResponse());
  yield judgeReach(alive, client.baseUrl);
  if (alive instanceof Error) return;
  yield judgeClock(alive.response.headers.get('date'), (askedAt + now()) / 2);
  yield judgeReadiness(await outcomeOf(client.health.getReadiness(options)));
  yield judgeKey(await outcomeOf(client.consoleSessions.getCaller(options)));
  const document = client.request<{ info?: { version?: string } }>(
    'GET',
    '/openapi.json',
    undefined,
    options,
  );
  yield judgeVersion(await outcomeOf(document), version);
}

async function outcomeOf<T>(asked: PromiseLike<T>): Promise<T | Error> {
  try {
    return await asked;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export function judgeReach(outcome: unknown, baseUrl: string): Check {
  const name = 'reachable';
  if (!(outcome instanceof Error)) return { name, outcome: 'ok', found: baseUrl, advice: null };
  const [found = '', ...advice] = explainError(outcome, baseUrl).lines;
  return {
    name,
    outcome: 'failed',
    found,
    advice: advice.join(' ') || 'Is it the address of a Capstan service?',
  };
}

/** @param date header of an answer, which is exact to a second */
export function judgeClock(date: string | null, now: number): Check {
  const name = 'clock';
  const at = Date.parse(date ?? '');
  if (Number.isNaN(at)) return { name, outcome: 'warning', found: 'the answer has no date', advice: null };
  const skew = Math.abs(now - at);
  const found =
    skew < 2_000 ? 'as that of the service' : `${Math.round(skew / 1_000)} s off that of the service`;
  if (skew <= MAX_SKEW_MS) return { name, outcome: 'ok', found, advice: null };
  return {
    name,
    outcome: 'warning',
    found,
    advice:
      'Set the clock of this machine or of the server by NTP: signatures of webhooks are refused after five minutes.',
  };
}

export function judgeReadiness(outcome: unknown): Check {
  const name = 'ready';
  if (!(outcome instanceof Error)) return { name, outcome: 'ok', found: 'it takes requests', advice: null };
  const found = outcome instanceof ApiError ? (outcome.problem?.detail ?? outcome.message) : outcome.message;
  return {
    name,
    outcome: 'failed',
    found,
    advice: 'Look at the log of the API: it lacks its database, or is starting or stopping.',
  };
}

export function judgeKey(outcome: Schemas['Caller'] | Error): Check {
  const name = 'key';
  if (outcome instanceof Error) {
    const isRefused = outcome instanceof ApiError && outcome.status === 401;
    const advice = isRefused
      ? 'Set CAPSTAN_API_KEY to a key of this service that is not revoked or expired.'
      : null;
    return { name, outcome: 'failed', found: outcome.message, advice };
  }
  const { auth, tenant_id: tenant, scopes } = outcome;
  if (auth === 'off')
    return { name, outcome: 'ok', found: `none is asked for; tenant ${tenant}`, advice: null };
  return { name, outcome: 'ok', found: `tenant ${tenant}, scopes ${scopes.join(' ')}`, advice: null };
}

export function judgeVersion(
  outcome: { readonly info?: { readonly version?: string } } | Error,
  version: string,
): Check {
  const name = 'version';
  const served = outcome instanceof Error ? undefined : outcome.info?.version;
  if (served === undefined)
    return { name, outcome: 'warning', found: 'the service does not say its version', advice: null };
  const found = `service ${served}, this program ${version}`;
  const isSame = served.split('.').slice(0, 2).join('.') === version.split('.').slice(0, 2).join('.');
  const advice = isSame
    ? null
    : `Install the package of the service’s version: npm install capstan@${served}`;
  return { name, outcome: isSame ? 'ok' : 'warning', found, advice };
}
