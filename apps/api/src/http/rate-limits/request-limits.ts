import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiter, Standing } from '#libs/rate-limits';
import type { Principal } from '../principal.js';
import { RetryLaterError } from '../retry-later.error.js';
import { addressSubject } from './address-subject.js';
import { rateLimitHeaders, secondsToReset } from './rate-limit-headers.js';

/** The limits that are on; null for one that is off. */
export interface RequestLimiters {
  readonly key: RateLimiter | null;
  readonly tenant: RateLimiter | null;
  readonly address: RateLimiter | null;
  /** Of an address: requests without a valid key. */
  readonly failures: RateLimiter | null;
}

/** How many requests an address, a key and a tenant may make. What is refused is answered 429 `RATE_LIMITED`. */
export class RequestLimits {
  readonly #standings = new WeakMap<FastifyRequest, readonly Standing[]>();

  constructor(private readonly limiters: RequestLimiters) {}

  /** Before the key is looked up. Throws `RATE_LIMITED`. */
  async admitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const address = addressSubject(request.ip);
    if (address === null) return;
    const failures = this.limiters.failures?.peekExceeded(address) ?? null;
    if (failures !== null) this.#judge(request, reply, failures, 'address without a valid API key');
    await this.#take(request, reply, this.limiters.address, address, 'address');
  }

  /** There was no valid key. Throws `RATE_LIMITED` where that happens too often. */
  async noteFailure(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const address = addressSubject(request.ip);
    if (address === null) return;
    await this.#take(request, reply, this.limiters.failures, address, 'address without a valid API key');
  }

  /** Throws `RATE_LIMITED`. */
  async admitCaller(request: FastifyRequest, reply: FastifyReply, caller: Principal): Promise<void> {
    if (caller.keyId !== null) await this.#take(request, reply, this.limiters.key, caller.keyId, 'API key');
    await this.#take(request, reply, this.limiters.tenant, caller.tenantId, 'tenant');
  }

  async #take(
    request: FastifyRequest,
    reply: FastifyReply,
    limiter: RateLimiter | null,
    subject: string,
    whose: string,
  ): Promise<void> {
    if (limiter !== null) this.#judge(request, reply, await limiter.take(subject), whose);
  }

  #judge(request: FastifyRequest, reply: FastifyReply, standing: Standing, whose: string): void {
    const standings = [...(this.#standings.get(request) ?? []), standing];
    this.#standings.set(request, standings);
    void reply.headers(rateLimitHeaders(standings));
    if (standing.isExceeded) throw rateLimited(whose, secondsToReset(standing));
  }
}

function rateLimited(whose: string, seconds: number): RetryLaterError {
  const message = `too many requests of your ${whose}; try again in ${seconds} s`;
  return new RetryLaterError({ code: 'RATE_LIMITED', kind: 'limit_exceeded', message }, seconds);
}
