import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { EventConnections } from './event-connections.js';

/** An answer whose time runs out when the test says so. */
class TimedResponse {
  readonly end = new AbortController();
  timeoutMs: number | undefined;
  writableLength = 0;
  isDestroyed = false;
  runOut: () => void = () => undefined;

  setTimeout(ms: number, runOut: () => void): this {
    this.timeoutMs = ms;
    this.runOut = runOut;
    return this;
  }

  destroy(): this {
    this.isDestroyed = true;
    return this;
  }
}

const CALLER = { tenantId: 'default', keyId: null, scopes: [] };
const admitTo = (connections: EventConnections): TimedResponse => {
  const response = new TimedResponse();
  connections.admit(CALLER, response as unknown as ServerResponse, response.end.signal);
  return response;
};
const connectionsFor = (maxStreams: number): EventConnections =>
  new EventConnections({
    events: { retentionMs: 0, stallMs: 30_000, maxStreams, tenantStreams: 100, keyStreams: 100 },
  });

describe('EventConnections', () => {
  it('closes a connection whose client takes nothing of what waits for it', () => {
    const response = admitTo(connectionsFor(1));
    response.writableLength = 1;
    response.runOut();
    expect([response.timeoutMs, response.isDestroyed]).toEqual([30_000, true]);
  });

  it('lets the client of a silent execution stay', () => {
    const response = admitTo(connectionsFor(1));
    response.runOut();
    expect(response.isDestroyed).toBe(false);
  });

  it('has room again as soon as one has gone', () => {
    const connections = connectionsFor(2);
    const [first] = [admitTo(connections), admitTo(connections)];
    expect(() => admitTo(connections)).toThrow(expect.objectContaining({ code: 'TOO_MANY_STREAMS' }));
    first.end.abort();
    admitTo(connections);
    expect(() => admitTo(connections)).toThrow(expect.objectContaining({ code: 'TOO_MANY_STREAMS' }));
  });
});
