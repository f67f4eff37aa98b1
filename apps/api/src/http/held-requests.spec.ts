import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { EventConnections, HeldRequests } from './held-requests.js';

const WORDS = { code: 'STREAM_LIMIT', things: 'event streams' };
const of = (tenantId: string, keyId: string | null) => ({ tenantId, keyId, scopes: [] });

describe('HeldRequests', () => {
  const refusal = (whose: string, limit: number): object =>
    expect.objectContaining({
      code: 'STREAM_LIMIT',
      kind: 'limit_exceeded',
      message: `the ${whose} has ${limit} event streams open at this process, the maximum; try again later`,
      retryAfterSeconds: 5,
    });

  it('limits one key to its share, also while other keys of its tenant hold theirs', () => {
    const held = new HeldRequests({ tenant: 10, key: 2 }, WORDS);
    const { signal } = new AbortController();
    held.hold(of('a', 'k1'), signal);
    held.hold(of('a', 'k1'), signal);

    expect(() => held.hold(of('a', 'k1'), signal)).toThrow(refusal('API key', 2));
    held.hold(of('a', 'k2'), signal);
  });

  it('limits one tenant to its share, over all its keys', () => {
    const held = new HeldRequests({ tenant: 2, key: 2 }, WORDS);
    const { signal } = new AbortController();
    held.hold(of('a', 'k1'), signal);
    held.hold(of('a', null), signal);

    expect(() => held.hold(of('a', 'k2'), signal)).toThrow(refusal('tenant', 2));
    held.hold(of('b', 'k3'), signal);
  });

  it('gives the place of one that is over to the next, of the tenant and of the key', () => {
    const held = new HeldRequests({ tenant: 1, key: 1 }, WORDS);
    const first = new AbortController();
    held.hold(of('a', 'k1'), first.signal);
    first.abort();

    held.hold(of('a', 'k1'), new AbortController().signal);

    expect(() => held.hold(of('a', 'k2'), new AbortController().signal)).toThrow(refusal('tenant', 1));
  });

  it('does not count one that is over already, nor one that it refused', () => {
    const held = new HeldRequests({ tenant: 2, key: 1 }, WORDS);
    held.hold(of('a', 'k1'), AbortSignal.abort());
    held.hold(of('a', 'k1'), new AbortController().signal);
    expect(() => held.hold(of('a', 'k1'), new AbortController().signal)).toThrow();

    held.hold(of('a', 'k2'), new AbortController().signal);
  });
});

/** A response with a timeout that the test triggers. */
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
