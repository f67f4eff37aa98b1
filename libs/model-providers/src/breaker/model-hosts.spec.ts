import { describe, expect, it } from '@jest/globals';
import { ModelCallError, ModelHostUnavailableError } from '#libs/agent-core';
import { ModelHosts } from './model-hosts.js';

const HOST = 'https://models.example/v1';
const failure = (reason: string, details: Readonly<Record<string, unknown>> = {}): ModelCallError =>
  new ModelCallError({ reason, message: 'x', retryable: true, details });
const SILENT = failure('first_byte_timeout', { silenceMs: 60_000 });

class World {
  now = 0;
  readonly hosts = new ModelHosts(() => this.now);

  /** The error that a call ending with `error` throws. */
  call(error: unknown, host = HOST, caller = 'A'): unknown {
    try {
      return this.hosts.begin(host, caller).failed(error);
    } catch (refused) {
      return refused;
    }
  }

  callTimes(times: number, error: unknown): unknown[] {
    return Array.from({ length: times }, () => this.call(error));
  }
}

const isDelayed = (outcome: unknown): boolean => outcome instanceof ModelHostUnavailableError;

describe('ModelHosts', () => {
  it.each<[string, ModelCallError, boolean]>([
    ['silence', SILENT, true],
    ['silence before a whole body', failure('request_timeout', { silenceMs: 300_000 }), true],
    ['a refused connection', failure('connection_failed'), true],
    ...[500, 502, 503, 504].map((status): [string, ModelCallError, boolean] => [
      `the status ${status}`,
      failure('provider_unavailable', { status }),
      false,
    ]),
    ['a time-out that the server reports', failure('request_timeout', { status: 408 }), false],
    ['a silence of a second', failure('first_byte_timeout', { silenceMs: 1_000 }), false],
    ['a limit', failure('rate_limited', { status: 429 }), false],
    ['a stream that broke', failure('truncated_stream'), false],
    ['a call that we gave up', failure('aborted'), false],
    ['parameters that were never sent', failure('invalid_parameters'), false],
  ])('after five times %s: is the host left alone?', (_case, error, expected) => {
    const outcomes = new World().callTimes(6, error);
    expect(outcomes.slice(0, 4)).toEqual([error, error, error, error]);
    expect(outcomes.slice(4).map(isDelayed)).toEqual([expected, expected]);
  });

  it('says when to come back, and lets one call try then', () => {
    const world = new World();
    world.callTimes(5, SILENT);
    expect(world.call(SILENT)).toMatchObject({ retryAfterMs: 5_000 });
    world.now = 5_000;
    const probe = world.hosts.begin(HOST, 'A');
    expect(world.call(SILENT)).toMatchObject({ retryAfterMs: 5_000 });
    expect(probe.failed(SILENT)).toMatchObject({ retryAfterMs: 10_000 });
  });

  it('lets everybody call again as soon as the host begins to answer', () => {
    const world = new World();
    world.callTimes(5, SILENT);
    world.now = 5_000;
    world.hosts.begin(HOST, 'A').isAlive();
    expect(world.callTimes(4, SILENT)).toEqual([SILENT, SILENT, SILENT, SILENT]);
  });

  it.each([
    ['a limit', failure('rate_limited', { status: 429 })],
    ['a broken stream', failure('truncated_stream')],
  ])('takes %s for a sign of life', (_case, error) => {
    const world = new World();
    world.callTimes(4, SILENT);
    world.call(error);
    expect(world.callTimes(4, SILENT).some(isDelayed)).toBe(false);
  });

  it('does not take a call that we gave up for one', () => {
    const world = new World();
    world.callTimes(4, SILENT);
    world.call(new Error('lease lost'));
    expect(isDelayed(world.call(SILENT))).toBe(true);
  });

  it('lets the next one try at once when a probe was given up', () => {
    const world = new World();
    world.callTimes(5, SILENT);
    world.now = 5_000;
    world.call(failure('aborted'));
    expect(() => world.hosts.begin(HOST, 'A')).not.toThrow();
  });

  it('has a caller wait for nothing but its own failures', () => {
    const world = new World();
    world.callTimes(5, SILENT);
    // Pauses of A, however long, do not affect B.
    for (const at of [0, 5_000, 15_000]) {
      world.now = at;
      world.call(SILENT);
    }
    expect(() => world.hosts.begin(HOST, 'B').isAlive()).not.toThrow();
    expect(world.call(SILENT)).toBe(SILENT);
  });

  it('costs a caller no try at a host that others found silent', () => {
    const world = new World();
    world.callTimes(5, SILENT);
    expect(world.call(SILENT, HOST, 'B')).toMatchObject({ retryAfterMs: 5_000 });
    expect(() => world.hosts.begin(HOST, 'B')).toThrow(ModelHostUnavailableError);
    expect(() => world.hosts.begin(HOST, 'C')).not.toThrow();
    expect(() => world.hosts.begin(HOST, 'C')).toThrow(ModelHostUnavailableError);
  });

  it('keeps hosts apart, not their paths', () => {
    const world = new World();
    world.callTimes(5, SILENT);
    expect(world.call(SILENT, 'https://other.example/v1')).toBe(SILENT);
    expect(isDelayed(world.call(SILENT, 'https://models.example/other/v1'))).toBe(true);
  });
});

describe('the list of hosts that do not answer', () => {
  const OTHER = 'http://other.example:8080/v1';

  it('has the failures and the breaker of each, and loses a host that answers', () => {
    const world = new World();
    expect(world.hosts.list()).toEqual([]);
    world.callTimes(2, SILENT);
    world.call(SILENT, OTHER);
    const closed = { breaker: 'closed', pausedForMs: null };
    expect(world.hosts.list()).toEqual([
      { host: 'models.example', failures: 2, ...closed },
      { host: 'other.example:8080', failures: 1, ...closed },
    ]);

    world.callTimes(3, SILENT);
    world.hosts.begin(OTHER, 'A').isAlive();
    world.now = 1_000;
    const open = { host: 'models.example', failures: 5, breaker: 'open' };
    expect(world.hosts.list()).toEqual([{ ...open, pausedForMs: 4_000 }]);
    world.now = 6_000;
    expect(world.hosts.list()).toEqual([{ ...open, pausedForMs: 0 }]);
    const probe = world.hosts.begin(HOST, 'A');
    expect(world.hosts.list()).toEqual([{ ...open, breaker: 'half_open', pausedForMs: null }]);
    probe.isAlive();
    expect(world.hosts.list()).toEqual([]);
  });

  it('has at most 20 hosts', () => {
    const world = new World();
    for (let port = 1; port <= 21; port += 1) world.call(SILENT, `http://models.example:${port}/v1`);
    expect(world.hosts.list()).toHaveLength(20);
  });

  it('announces its changes, and no call to a host that answers', () => {
    const world = new World();
    let changes = 0;
    world.hosts.onChange(() => (changes += 1));
    world.hosts.begin(HOST, 'A').isAlive();
    world.call(failure('rate_limited', { status: 429 }));
    expect(changes).toBe(0);
    world.call(SILENT);
    const counted = changes;
    expect(counted).toBeGreaterThan(0);
    world.hosts.begin(HOST, 'A').isAlive();
    expect(changes).toBeGreaterThan(counted);
  });
});
