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
  const client = new AbortController();
  const leave = (): void => client.abort();
  response.once('close', leave);
  let isTerminalSent = false;
  const outcome = (end: DeliveryEnd): DeliveryOutcome => ({
    end,
    areHeadersSent: response.headersSent,
    isTerminalSent,
  });
  try {
    for (const step of delivery.before) await doStep(response, step, client.signal);
    response.writeHead(delivery.status, delivery.headers);
    for (const step of delivery.body) {
      await doStep(response, step, client.signal);
      isTerminalSent ||= step.kind === 'write' && step.isTerminal;
    }
    await finish(response, client.signal);
    return outcome('ended');
  } catch (error) {
    if (error instanceof Reset) return outcome('reset');
    if (client.signal.aborted) return outcome('client_left');
    throw error;
  } finally {
    response.off('close', leave);
  }
}

/** Not a failure: the way out of a delivery whose connection is gone on purpose. */
class Reset extends Error {}

async function doStep(response: ServerResponse, step: DeliveryStep, client: AbortSignal): Promise<void> {
  client.throwIfAborted();
  switch (step.kind) {
    case 'write':
      return write(response, step.bytes, client);
    case 'wait':
      return sleep(step.ms, undefined, { signal: client });
    case 'hang':
      return untilGone(client);
    case 'reset':
      response.socket?.resetAndDestroy();
      throw new Reset('the connection was reset on purpose');
    default:
      assertNever(step);
  }
}

/** Waits until the bytes are out, so that chunks stay chunks and a slow reader slows the answer. */
function write(response: ServerResponse, bytes: Buffer, client: AbortSignal): Promise<void> {
  return settleOrLeave(client, (settle) => response.write(bytes, settle));
}

function finish(response: ServerResponse, client: AbortSignal): Promise<void> {
  return settleOrLeave(client, (settle) => response.end(settle));
}

function untilGone(client: AbortSignal): Promise<void> {
  return settleOrLeave(client, () => undefined);
}

function settleOrLeave(client: AbortSignal, start: (settle: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new Error('the client has left'));
    if (client.aborted) {
      leave();
      return;
    }
    client.addEventListener('abort', leave, { once: true });
    start(() => {
      client.removeEventListener('abort', leave);
      resolve();
    });
  });
}
