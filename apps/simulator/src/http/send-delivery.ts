import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertNever } from '#libs/kernel';
import type { Delivery, DeliveryStep } from './delivery.js';

/** How the answer ended: by this server cleanly, by a reset of this server, or by the client. */
export type DeliveryEnd = 'ended' | 'reset' | 'client_left';

export interface DeliveryOutcome {
  readonly end: DeliveryEnd;
  readonly areHeadersSent: boolean;
  /** Whether the last byte of the answer was written to the socket. */
  readonly isTerminalSent: boolean;
}

/** Sends a delivery. Returns once the answer is sent or the client has disconnected, and throws for neither. */
export async function sendDelivery(response: ServerResponse, delivery: Delivery): Promise<DeliveryOutcome> {
  const sending = new Sending(response);
  // Not `response.headersSent`: Node may set it for an answer that was never sent, while it cleans up after a disconnect.
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

/** Control flow, not a failure: leaves a delivery after its connection was reset on purpose. */
class Reset extends Error {}

/** A response in progress, with the state of its client. */
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

  /** Aborted when the client disconnects. */
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

  /** Ends the response cleanly, and waits until all bytes are flushed. */
  async finish(): Promise<void> {
    const finished = once(this.response, 'finish', { signal: this.client });
    this.response.end();
    await finished;
  }

  /** Returns at once, unless the client reads more slowly than this server writes. */
  private async write(bytes: Buffer, isTerminal: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.lastWrite = promise;
    const hasRoom = this.response.write(bytes, (error) => {
      if (isTerminal && !(error instanceof Error)) this.isTerminalSent = true;
      resolve(undefined);
    });
    if (!hasRoom) await once(this.response, 'drain', { signal: this.client });
  }

  /** Waits until all bytes so far are flushed, before a pause or a reset. */
  private async flushed(): Promise<void> {
    await Promise.race([this.lastWrite, this.departure.promise]);
    this.client.throwIfAborted();
  }
}
