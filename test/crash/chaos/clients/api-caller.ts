import type { SeededRandom } from '../plan/seeded-random.js';

/** Milliseconds that a client waits for an answer, in addition to `waitMs`. */
const ANSWER_LIMIT_MS = 6_000;

/** Calls any of the APIs, since each may be down. */
export class ApiCaller {
  /** The number of answers by method and status. */
  readonly answers = new Map<string, number>();

  constructor(
    private readonly urls: readonly [string, ...string[]],
    private readonly random: SeededRandom,
  ) {}

  /** Tries once; null if no answer came. `waitMs`: milliseconds that the answer may take in addition. */
  async call(
    apiKey: string,
    method: 'GET' | 'POST',
    path: string,
    options: { body?: object; headers?: Record<string, string>; waitMs?: number } = {},
  ): Promise<{ status: number; body: unknown } | null> {
    try {
      const response = await fetch(`${this.random.pick(this.urls)}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(options.body && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(options.body && { body: JSON.stringify(options.body) }),
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS + (options.waitMs ?? 0)),
      });
      const text = await response.text();
      this.count(method, response.status);
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    } catch {
      this.count(method, null);
      return null;
    }
  }

  /** Opens an event stream; null if that failed. */
  async open(
    apiKey: string,
    path: string,
    lastEventId: number,
    signal: AbortSignal,
  ): Promise<Response | null> {
    try {
      return await fetch(`${this.random.pick(this.urls)}${path}`, {
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(lastEventId > 0 && { 'last-event-id': String(lastEventId) }),
        },
        signal,
      });
    } catch {
      return null;
    }
  }

  private count(method: string, status: number | null): void {
    const name = `${method} ${status ?? 'no answer'}`;
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
  }
}
