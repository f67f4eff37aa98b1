import type { ServerResponse } from 'node:http';

type Closing = Pick<ServerResponse, 'once'>;

/** Callbacks that wait for the end of a response. */
const listeners = new WeakMap<Closing, (() => void)[]>();

/**
 * Calls `listener` when the response is complete or its client has disconnected. All callbacks share one event
 * listener: with those of Fastify, Nest and a stream there were eleven, which Node reports as a leak.
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
