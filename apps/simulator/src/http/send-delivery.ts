import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertNever } from '#libs/kernel';
import type { Delivery, DeliveryStep } from './delivery.js';

/** Who ended the answer and how: this server cleanly, this server by a reset, or the client. */
export type DeliveryEnd = 'ended' | 'reset' | 'client_left';

export interface DeliveryOutcome {
  readonly end: DeliveryEnd;
  readonly areHeadersSent: boolean;
  /** Did the last byte of the answer leave this process? */
  readonly isTerminalSent: boolean;
}

/** Carries out a delivery. Returns when the answer is through or the client has left; never throws for either. */
export async function sendDelivery(response: ServerResponse, delivery: Delivery): Promise<DeliveryOutcome> {
  const sending = new Sending(response);
  // Not `response.headersSent`: a server that cleans up after a client that left may set it for an answer nobody gave.
  let areHeadersSent = false;
  const outcome = (end: DeliveryEnd): DeliveryOutcome => ({
    end,
    areHeadersSent,
    isTerminalSent: sending.isTerminalSent,
  });
  try {
    for (const step of delivery.before) await sending.do(step);
    response.writeHead(delivery.status, delivery.headers);
    areHeadersSent = true;
    for (const step of delivery.body) await sending.do(step);
    await sending.finish();
    return outcome('ended');
  } catch (error) {
    if (error instanceof Reset) return outcome('reset');
    if (sending.client.aborted) return outcome('client_left');
    throw error;
  } finally {
    sending.stopWatching();
  }
}

/** Not a failure: the way out of a delivery whose connection is gone on purpose. */
class Reset extends Error {}

/** An answer under way and the client that waits for it. */
class Sending {
  isTerminalSent = false;
  private readonly leaving = new AbortController();
  private lastWrite: Promise<unknown> = Promise.resolve();
  private readonly departure = Promise.withResolvers<undefined>();
  private readonly leave = (): void => {
    this.leaving.abort();
    this.departure.resolve(undefined);
  };

  constructor(private readonly response: ServerResponse) {
    response.once('close', this.leave);
  }

  /** Aborted when the client has left. */
  get client(): AbortSignal {
    return this.leaving.signal;
  }

  stopWatching(): void {
    this.response.off('close', this.leave);
  }

  async do(step: DeliveryStep): Promise<void> {
    this.client.throwIfAborted();
    if (step.kind === 'write') return this.write(step.bytes, step.isTerminal);
    await this.flushed();
    switch (step.kind) {
      case 'wait':
        await sleep(step.ms, undefined, { signal: this.client });
        return;
      case 'hang':
        await this.departure.promise;
        this.client.throwIfAborted();
        return;
      case 'reset':
        this.response.socket?.resetAndDestroy();
        throw new Reset('the connection was reset on purpose');
      default:
        assertNever(step);
    }
  }

  /** Ends the answer cleanly and waits until everything has left this process. */
  async finish(): Promise<void> {
    const finished = once(this.response, 'finish', { signal: this.client });
    this.response.end();
    await finished;
  }

  /** Goes on at once, unless the client reads more slowly than this server writes. */
  private async write(bytes: Buffer, isTerminal: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.lastWrite = promise;
    const hasRoom = this.response.write(bytes, (error) => {
      if (isTerminal && !(error instanceof Error)) this.isTerminalSent = true;
      resolve(undefined);
    });
    if (!hasRoom) await once(this.response, 'drain', { signal: this.client });
  }

  /** Before a pause or a reset, everything so far has to be on its way. */
  private async flushed(): Promise<void> {
    await Promise.race([this.lastWrite, this.departure.promise]);
    this.client.throwIfAborted();
  }
}
