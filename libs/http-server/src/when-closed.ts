import type { ServerResponse } from 'node:http';

/** The end of a response. */
export interface Closing extends Pick<ServerResponse, 'closed'> {
  once(event: 'close', listener: () => void): unknown;
}

/** Callbacks that wait for the end of a response. */
const listeners = new WeakMap<Closing, (() => void)[]>();

/**
 * Calls `listener` when the response is complete or its client has disconnected; at once where that has happened. All
 * callbacks share one event listener: with those of Fastify, Nest and a stream there were eleven, which Node reports as
 * a leak.
 */
export function whenClosed(response: Closing, listener: () => void): void {
  // The event does not come a second time, for example for a client that left while its key was looked up.
  if (response.closed) return listener();
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
