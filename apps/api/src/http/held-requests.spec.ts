import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { EventConnections, HeldRequests } from './held-requests.js';

const WORDS = { code: 'STREAM_LIMIT', things: 'event streams' };
const of = (tenantId: string, keyId: string | null) => ({ tenantId, keyId, scopes: [] });

/** A response whose end the test decides. */
class OpenResponse extends EventEmitter {
  closed = false;

  end(): void {
    this.closed = true;
    this.emit('close');
  }
}

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
    const response = new OpenResponse();
    held.hold(of('a', 'k1'), response);
    held.hold(of('a', 'k1'), response);

    expect(() => held.hold(of('a', 'k1'), response)).toThrow(refusal('API key', 2));
    held.hold(of('a', 'k2'), response);
  });

  it('limits one tenant to its share, over all its keys', () => {
    const held = new HeldRequests({ tenant: 2, key: 2 }, WORDS);
    const response = new OpenResponse();
    held.hold(of('a', 'k1'), response);
    held.hold(of('a', null), response);

    expect(() => held.hold(of('a', 'k2'), response)).toThrow(refusal('tenant', 2));
    held.hold(of('b', 'k3'), response);
  });

  it('gives the place of one that is over to the next, of the tenant and of the key', () => {
    const held = new HeldRequests({ tenant: 1, key: 1 }, WORDS);
    const first = new OpenResponse();
    held.hold(of('a', 'k1'), first);
    first.end();

    held.hold(of('a', 'k1'), new OpenResponse());

    expect(() => held.hold(of('a', 'k2'), new OpenResponse())).toThrow(refusal('tenant', 1));
  });

  it('does not count one that is over already, nor one that it refused', () => {
    const held = new HeldRequests({ tenant: 2, key: 1 }, WORDS);
    const gone = new OpenResponse();
    gone.end();
    held.hold(of('a', 'k1'), gone);
    held.hold(of('a', 'k1'), new OpenResponse());
    expect(() => held.hold(of('a', 'k1'), new OpenResponse())).toThrow();

    held.hold(of('a', 'k2'), new OpenResponse());
  });
});

/** A response with a timeout that the test triggers. */
class TimedResponse extends OpenResponse {
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
  connections.admit(CALLER, response as unknown as ServerResponse);
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
    first.end();
    admitTo(connections);
    expect(() => admitTo(connections)).toThrow(expect.objectContaining({ code: 'TOO_MANY_STREAMS' }));
  });
});
