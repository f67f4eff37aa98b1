import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { RateLimiter, Standing } from '#libs/rate-limits';
import type { Principal } from './access.js';
import { RetryLaterError } from './request-errors.js';

/** The configured rate limiters; null for a limit that is off. */
export interface RequestLimiters {
  readonly key: RateLimiter | null;
  readonly tenant: RateLimiter | null;
  readonly address: RateLimiter | null;
  /** Counts requests without a valid key, by address. */
  readonly failures: RateLimiter | null;
}

/** Rate limits by address, key and tenant; an excess is answered 429 `RATE_LIMITED`. */
export class RequestLimits {
  private readonly standings = new WeakMap<FastifyRequest, readonly Standing[]>();

  constructor(private readonly limiters: RequestLimiters) {}

  /** Counts the request before its key is looked up; null if that is done at once. Throws `RATE_LIMITED`. */
  admitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> | null {
    if (this.limiters.address === null && this.limiters.failures === null) return null;
    const address = addressSubject(request.ip);
    if (address === null) return null;
    const failures = this.limiters.failures?.peekExceeded(address) ?? null;
    if (failures !== null) this.evaluate(request, reply, failures, 'address without a valid API key');
    return this.take(request, reply, this.limiters.address, address, 'address');
  }

  /** Counts a request without a valid key. Throws `RATE_LIMITED` above the limit. */
  async noteFailure(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const address = addressSubject(request.ip);
    if (address === null) return;
    await this.take(request, reply, this.limiters.failures, address, 'address without a valid API key');
  }

  /** Counts the request for its key and tenant; null if that is done at once. Throws `RATE_LIMITED`. */
  admitCaller(request: FastifyRequest, reply: FastifyReply, caller: Principal): Promise<void> | null {
    const { key, tenant } = this.limiters;
    const ofKey = caller.keyId === null ? null : this.take(request, reply, key, caller.keyId, 'API key');
    const next = (): Promise<void> | null => this.take(request, reply, tenant, caller.tenantId, 'tenant');
    return ofKey === null ? next() : ofKey.then(() => next() ?? undefined);
  }

  /** Null if the point was at hand, as nearly always. */
  private take(
    request: FastifyRequest,
    reply: FastifyReply,
    limiter: RateLimiter | null,
    subject: string,
    whose: string,
  ): Promise<void> | null {
    if (limiter === null) return null;
    const evaluate = (standing: Standing): void => this.evaluate(request, reply, standing, whose);
    const standing = limiter.takeAtHand(subject);
    if (standing === null) return limiter.take(subject).then(evaluate);
    evaluate(standing);
    return null;
  }

  private evaluate(request: FastifyRequest, reply: FastifyReply, standing: Standing, whose: string): void {
    const standings = [...(this.standings.get(request) ?? []), standing];
    this.standings.set(request, standings);
    void reply.headers(rateLimitHeaders(standings));
    if (standing.isExceeded) throw rateLimited(`requests of your ${whose}`, secondsToReset(standing));
  }
}

/** @param what plural noun with its owner, as `requests of your tenant` */
export function rateLimited(what: string, seconds: number): RetryLaterError {
  const message = `too many ${what}; try again in ${seconds} s`;
  return new RetryLaterError({ code: 'RATE_LIMITED', kind: 'limit_exceeded', message }, seconds);
}

/** Network prefix of an IPv6 customer, in bits; the customer chooses the rest freely. */
const IPV6_NETWORK_BITS = 64;

/** The key that a client's requests are counted under; null for loopback, which may be a reverse proxy for all clients. */
export function addressSubject(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.range() === 'loopback') return null;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_NETWORK_BITS}`).toString();
}

/** `RateLimit-Policy` and `RateLimit` headers, as in draft-ietf-httpapi-ratelimit-headers-11. */
function rateLimitHeaders(standings: readonly Standing[]): Readonly<Record<string, string>> {
  const policies = standings.map(({ limit }) => `"${limit.name}";q=${limit.points};w=${limit.windowSeconds}`);
  const states = standings.map(
    (standing) => `"${standing.limit.name}";r=${standing.remaining};t=${secondsToReset(standing)}`,
  );
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: states.join(', ') };
}

/** Seconds until the window resets, at least 1. */
export function secondsToReset({ resetMs }: Pick<Standing, 'resetMs'>): number {
  return Math.max(1, Math.ceil(resetMs / 1_000));
}
