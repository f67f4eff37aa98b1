import createClient from 'openapi-fetch';
import type { paths } from '../../generated/openapi.js';
import { problemFrom } from './problem.js';

/** Requests of the API with types from its OpenAPI document. The session cookie goes along by itself. */
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });

type Answer<T> = { readonly data?: T; readonly error?: unknown; readonly response: Response };

/**
 * Body of a successful answer; undefined where the operation has none.
 * @throws {ApiProblem} for any other answer
 */
export async function answerOf<T>(request: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (response.ok) return data as T;
  signedOut.report(response.status);
  throw problemFrom(response.status, error);
}

/** Answers 401 mean that the session of the console has ended; the shell then shows the sign-in page. */
export const signedOut = {
  listener: (): void => undefined,
  report(status: number): void {
    if (status === 401) signedOut.listener();
  },
};

/** A key that makes a repeated POST safe: one for each intention of a person, not for each try. */
export function newIdempotencyKey(): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': randomKey() };
}

/** 128 random bits as text. `crypto.randomUUID` is missing where the console is served without TLS. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
