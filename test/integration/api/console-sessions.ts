import { ask, type Answer, type RequestOptions } from './http-client.js';

export const SESSIONS = '/api/console-sessions/';

/** Headers of a page of the API's own origin. */
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

export function signInAt(base: string, apiKey: unknown, options: RequestOptions = {}): Promise<Answer> {
  return ask(base, SESSIONS, { json: { api_key: apiKey }, ...options });
}

/** The cookie that the answer sets, as a browser sends it. */
export function cookieOf({ headers }: Answer): string {
  return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

/** Asks as a page of the API's own origin with this cookie. */
export function askAsPage(
  base: string,
  cookie: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  return ask(base, path, { ...options, headers: { ...SAME_ORIGIN, ...options.headers, cookie } });
}
