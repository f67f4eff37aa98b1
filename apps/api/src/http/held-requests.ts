import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { whenClosed, type Closing } from '#libs/http-server';
import { AppError } from '#libs/kernel';
import { API_CONFIG } from '../api.tokens.js';
import type { Principal } from './access.js';
import { RetryLaterError } from './request-errors.js';

const RETRY_AFTER_SECONDS = 5;

/** Maximum open requests of a kind in one process, for each tenant and each key. */
export interface HeldRequestLimits {
  readonly tenant: number;
  readonly key: number;
}

/** The error code and the plural noun of the refusal's message. */
export interface HeldRequestWords {
  readonly code: string;
  readonly things: string;
}

/** Counts long-lived requests, so that no tenant or key can occupy all slots. */
export class HeldRequests {
  private readonly open = new Map<string, number>();

  constructor(
    private readonly limits: HeldRequestLimits,
    private readonly words: HeldRequestWords,
  ) {}

  /** Counts the request until its response is over. Throws the error for 429. */
  hold({ tenantId, keyId }: Principal, response: Closing): void {
    const key = keyId === null ? null : `key ${keyId}`;
    if (key !== null && this.count(key) >= this.limits.key) throw this.tooMany('API key', this.limits.key);
    const tenant = `tenant ${tenantId}`;
    if (this.count(tenant) >= this.limits.tenant) throw this.tooMany('tenant', this.limits.tenant);

    const counted = key === null ? [tenant] : [tenant, key];
    for (const name of counted) this.open.set(name, this.count(name) + 1);
    whenClosed(response, () => this.release(counted));
  }

  private count(name: string): number {
    return this.open.get(name) ?? 0;
  }

  private release(names: readonly string[]): void {
    for (const name of names) {
      const rest = this.count(name) - 1;
      if (rest > 0) this.open.set(name, rest);
      else this.open.delete(name);
    }
  }

  private tooMany(whose: string, limit: number): RetryLaterError {
    const { code, things } = this.words;
    const message = `the ${whose} has ${limit} ${things} open at this process, the maximum; try again later`;
    return new RetryLaterError({ code, kind: 'limit_exceeded', message }, RETRY_AFTER_SECONDS);
  }
}

/** The submits of this process that wait for a result. */
@Injectable()
export class WaitingSubmits extends HeldRequests {
  constructor(@Inject(API_CONFIG) { waitingSubmits }: Pick<AppConfig, 'waitingSubmits'>) {
    super(waitingSubmits, { code: 'WAIT_LIMIT', things: 'requests that wait for a result' });
  }
}

/** The open event streams of this process, limited in number and in the time that a client may stall. */
@Injectable()
export class EventConnections {
  private readonly held: HeldRequests;
  private open = 0;

  constructor(@Inject(API_CONFIG) private readonly config: Pick<AppConfig, 'events'>) {
    const { tenantStreams: tenant, keyStreams: key } = config.events;
    this.held = new HeldRequests({ tenant, key }, { code: 'STREAM_LIMIT', things: 'event streams' });
  }

  /**
   * Counts the response until it is over, and closes it when its client reads nothing for the stall time while data
   * waits: it holds a watch and a buffer, and its client can resume. Throws `TOO_MANY_STREAMS` where the process is full,
   * `STREAM_LIMIT` where the tenant or its key has too many.
   */
  admit(
    caller: Principal,
    response: Closing & Pick<ServerResponse, 'setTimeout' | 'writableLength' | 'destroy'>,
  ): void {
    if (this.open >= this.config.events.maxStreams) throw tooManyStreams();
    this.held.hold(caller, response);
    this.open += 1;
    whenClosed(response, () => (this.open -= 1));
    // The timer restarts with each write or read of the socket. A silent execution has no data waiting and stays connected.
    response.setTimeout(this.config.events.stallMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
  }
}

function tooManyStreams(): AppError {
  return new AppError({
    code: 'TOO_MANY_STREAMS',
    kind: 'unavailable',
    message: 'this process has reached its maximum of event streams; try again later, or read the execution',
    retryable: true,
  });
}
