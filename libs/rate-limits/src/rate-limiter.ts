import { unlessAborted } from '#libs/concurrency';
import type { MonotonicClock } from '#libs/kernel';
import type { PointStore, RateLimit } from './point-store.js';

/** Milliseconds that the store may take; a request waits no longer for its limits. */
const ANSWER_WITHIN_MS = 500;
/** Milliseconds during which a failed store is not called. */
const REST_MS = 5_000;
/** A process takes 1/100 of a limit at once to call the store rarely; limits below 200 points are exact. */
const SHARE = 100;
const MAX_SUBJECTS = 50_000;

/** The state of a subject's limit. */
export interface Standing {
  readonly limit: RateLimit;
  readonly isExceeded: boolean;
  /** Points that are at least left in this window. */
  readonly remaining: number;
  /** Milliseconds until the next window. */
  readonly resetMs: number;
}

/** Points that this process took from a window and has not used yet. */
interface Share {
  left: number;
  /** Points that were left in the window beyond this share. */
  readonly rest: number;
  readonly until: number;
}

/**
 * One limit across all processes that share a store. If the store fails or is slow, the process counts alone, so that
 * rate limiting never makes a request fail.
 */
export class RateLimiter {
  private readonly shares = new Map<string, Share>();
  private readonly asked = new Map<string, Promise<void>>();
  private readonly batch: number;
  private restUntil = -Infinity;

  constructor(
    readonly limit: RateLimit,
    private readonly store: PointStore,
    private readonly insurance: PointStore,
    private readonly clock: MonotonicClock,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.batch = Math.max(1, Math.floor(limit.points / SHARE));
  }

  /** Takes one point for the subject. */
  async take(subject: string): Promise<Standing> {
    for (;;) {
      const standing = this.takeAtHand(subject);
      if (standing !== null) return standing;
      await this.askOnce(subject);
    }
  }

  /** Takes one point of those that this process has; null where the store must be asked. */
  takeAtHand(subject: string): Standing | null {
    const share = this.current(subject);
    if (share === null) return null;
    const isExceeded = share.left === 0;
    if (!isExceeded) share.left -= 1;
    const standing = this.standing(share, isExceeded);
    // An empty share is kept only if the window is empty too.
    if (share.left === 0 && share.rest > 0) this.shares.delete(subject);
    return standing;
  }

  /** The state of a subject that this process knows to be exhausted, else null. Takes no point. */
  peekExceeded(subject: string): Standing | null {
    const share = this.current(subject);
    return share !== null && share.left === 0 ? this.standing(share, true) : null;
  }

  private current(subject: string): Share | null {
    const share = this.shares.get(subject);
    return share !== undefined && share.until > this.clock.monotonic() ? share : null;
  }

  private standing(share: Share, isExceeded: boolean): Standing {
    const resetMs = Math.max(0, share.until - this.clock.monotonic());
    return { limit: this.limit, isExceeded, remaining: share.left + share.rest, resetMs };
  }

  /** Concurrent requests of the same subject share one call to the store. */
  private askOnce(subject: string): Promise<void> {
    const asked = this.asked.get(subject) ?? this.ask(subject).finally(() => this.asked.delete(subject));
    this.asked.set(subject, asked);
    return asked;
  }

  private async ask(subject: string): Promise<void> {
    const { points, expiresInMs } = await this.takeInsured(subject);
    const beyond = Math.max(0, points - this.limit.points);
    this.makeRoom();
    this.shares.delete(subject);
    this.shares.set(subject, {
      left: Math.max(0, this.batch - beyond),
      rest: Math.max(0, this.limit.points - points),
      until: this.clock.monotonic() + Math.max(1, Math.min(expiresInMs, this.limit.windowSeconds * 1_000)),
    });
  }

  private async takeInsured(subject: string): ReturnType<PointStore['take']> {
    if (this.clock.monotonic() < this.restUntil) return this.insurance.take(subject, this.batch);
    try {
      const taken = this.store.take(subject, this.batch);
      return await unlessAborted(taken, AbortSignal.timeout(ANSWER_WITHIN_MS), unanswered);
    } catch (error) {
      this.restUntil = this.clock.monotonic() + REST_MS;
      this.onFailure(error);
      return this.insurance.take(subject, this.batch);
    }
  }

  /** Bounds the map, since a client can use any number of addresses. An evicted subject is asked for again. */
  private makeRoom(): void {
    if (this.shares.size < MAX_SUBJECTS) return;
    for (const [subject, share] of this.shares)
      if (share.until <= this.clock.monotonic()) this.shares.delete(subject);
    const [oldest] = this.shares.keys();
    if (this.shares.size >= MAX_SUBJECTS && oldest !== undefined) this.shares.delete(oldest);
  }
}

function unanswered(): Error {
  return new Error('the store of the rate limits does not answer');
}
