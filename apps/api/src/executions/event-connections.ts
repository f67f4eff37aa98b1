import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { AppError } from '#libs/kernel';
import { API_CONFIG } from '../api.tokens.js';
import { HeldRequests } from '../http/held-requests.js';
import type { Principal } from '../http/principal.js';

/** The event streams that this process holds open: how many there may be, and for how long one may stand still. */
@Injectable()
export class EventConnections {
  readonly #held: HeldRequests;
  #open = 0;

  constructor(@Inject(API_CONFIG) private readonly config: Pick<AppConfig, 'events'>) {
    const { tenantStreams: tenant, keyStreams: key } = config.events;
    this.#held = new HeldRequests({ tenant, key }, { code: 'STREAM_LIMIT', things: 'event streams' });
  }

  /**
   * Counts the answer until `signal` says that it is over, and closes it when its client takes nothing for too long
   * while something waits for it: it holds a watch and a buffer meanwhile, and its client can resume where it was.
   * Throws `TOO_MANY_STREAMS` where the process has no room, `STREAM_LIMIT` where the tenant or its key has too many.
   */
  admit(
    caller: Principal,
    response: Pick<ServerResponse, 'setTimeout' | 'writableLength' | 'destroy'>,
    signal: AbortSignal,
  ): void {
    if (signal.aborted) return;
    if (this.#open >= this.config.events.maxStreams) throw tooManyStreams();
    this.#held.hold(caller, signal);
    this.#open += 1;
    signal.addEventListener('abort', () => (this.#open -= 1), { once: true });
    // Begins anew whenever something is written or taken; an execution that is silent has nothing waiting.
    response.setTimeout(this.config.events.stallMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
  }
}

function tooManyStreams(): AppError {
  return new AppError({
    code: 'TOO_MANY_STREAMS',
    kind: 'unavailable',
    message: 'this server holds as many event streams as it can; try again later, or read the execution',
    retryable: true,
  });
}
