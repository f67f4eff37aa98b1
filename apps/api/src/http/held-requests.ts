import { RetryLaterError } from './retry-later.error.js';
import type { Principal } from './principal.js';

const RETRY_AFTER_SECONDS = 5;

/** How many requests of a kind one tenant, and one key, may have open at once in one process. */
export interface HeldRequestLimits {
  readonly tenant: number;
  readonly key: number;
}

/** What is refused: a stable code, and what there are too many of. */
export interface HeldRequestWords {
  readonly code: string;
  readonly things: string;
}

/** Counts requests that stay open for long, so that one tenant or key cannot take all the room. */
export class HeldRequests {
  readonly #open = new Map<string, number>();

  constructor(
    private readonly limits: HeldRequestLimits,
    private readonly words: HeldRequestWords,
  ) {}

  /** Counts one until `signal` says that it is over. Throws what is answered 429. */
  hold({ tenantId, keyId }: Principal, signal: AbortSignal): void {
    if (signal.aborted) return;
    const key = keyId === null ? null : `key ${keyId}`;
    if (key !== null && this.#count(key) >= this.limits.key) throw this.#tooMany('API key', this.limits.key);
    const tenant = `tenant ${tenantId}`;
    if (this.#count(tenant) >= this.limits.tenant) throw this.#tooMany('tenant', this.limits.tenant);

    const counted = key === null ? [tenant] : [tenant, key];
    for (const name of counted) this.#open.set(name, this.#count(name) + 1);
    signal.addEventListener('abort', () => this.#release(counted), { once: true });
  }

  #count(name: string): number {
    return this.#open.get(name) ?? 0;
  }

  #release(names: readonly string[]): void {
    for (const name of names) {
      const rest = this.#count(name) - 1;
      if (rest > 0) this.#open.set(name, rest);
      else this.#open.delete(name);
    }
  }

  #tooMany(whose: string, limit: number): RetryLaterError {
    const { code, things } = this.words;
    const message = `your ${whose} has ${limit} ${things} open at this server already; try again later`;
    return new RetryLaterError({ code, kind: 'limit_exceeded', message }, RETRY_AFTER_SECONDS);
  }
}
