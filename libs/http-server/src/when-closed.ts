import type { ServerResponse } from 'node:http';

type Closing = Pick<ServerResponse, 'once'>;

/** Who waits for the end of which answer. */
const listeners = new WeakMap<Closing, (() => void)[]>();

/**
 * Calls `listener` once the answer is over: complete, or given up because its client has gone. However many wait for
 * that, the answer has one listener of ours: with those of Fastify, Nest and a stream there were eleven, of which Node
 * warns as of a leak.
 */
export function whenClosed(response: Closing, listener: () => void): void {
  const waiting = listeners.get(response);
  if (waiting !== undefined) {
    waiting.push(listener);
    return;
  }
  const first = [listener];
  listeners.set(response, first);
  response.once('close', () => {
    listeners.delete(response);
    for (const each of first) each();
  });
}
