import { describe, expect, it } from '@jest/globals';
import { ManualTime } from '../../../../test/support/fakes/manual-time.js';
import { ServerCalls } from './server-calls.js';

const CRM = { id: 'crm', version: 1, limits: { timeout_ms: 30_000, concurrency: 2 } };
const NEVER = new AbortController().signal;
const coded = (code: string): Error => Object.assign(new Error('no'), { code });
const UNREACHED = coded('FETCH_NOT_REACHED');
const TIMEOUT = new DOMException('late', 'TimeoutError');

interface Asked {
  readonly server?: typeof CRM;
  readonly what?: 'opening' | 'call';
  readonly signal?: AbortSignal;
}

class World {
  readonly time = new ManualTime();
  readonly calls = new ServerCalls({ now: () => this.time.monotonic(), timers: this.time });
  readonly begun: string[] = [];

  /** A call that runs until the test settles it. */
  start(name: string, { server = CRM, what = 'call', signal = NEVER }: Asked = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const ended = this.calls.run(server, what, signal, () => {
      this.begun.push(name);
      return promise;
    });
    const outcome = ended.catch((error: unknown) => error);
    return { answer: () => resolve(name), fail: reject, outcome };
  }

  async call(failure: Error | null = null, server = CRM): Promise<unknown> {
    const call = () => (failure === null ? Promise.resolve('ok') : Promise.reject(failure));
    return this.calls.run(server, 'call', NEVER, call).catch((error: unknown) => error);
  }

  async fail(times: number, failure: Error, server = CRM): Promise<unknown[]> {
    const outcomes: unknown[] = [];
    for (let time = 0; time < times; time += 1) outcomes.push(await this.call(failure, server));
    return outcomes;
  }

  settle(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}

const SILENT = { name: 'ServerCallRefused', reason: 'silent' };
const BUSY = { name: 'ServerCallRefused', reason: 'busy' };

describe('how many calls of a server are under way', () => {
  it('is as many as it may get; the others come in turn, one for each that ends', async () => {
    const world = new World();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => world.start(name));
    await world.settle();
    expect(world.begun).toEqual(['a', 'b']);
    b?.answer();
    await world.settle();
    expect(world.begun).toEqual(['a', 'b', 'c']);
    a?.fail(new Error('refused'));
    await world.settle();
    expect(world.begun).toEqual(['a', 'b', 'c', 'd']);
    c?.answer();
    d?.answer();
    expect([await b?.outcome, await c?.outcome, await d?.outcome]).toEqual(['b', 'c', 'd']);
  });

  it('never is one more, also where one comes at the moment in which another leaves', async () => {
    const world = new World();
    const [a] = ['a', 'b', 'c'].map((name) => world.start(name));
    await world.settle();
    a?.answer();
    await a?.outcome;
    world.start('d');
    await world.settle();
    expect(world.begun).toEqual(['a', 'b', 'c']);
  });

  it('is of each server apart', async () => {
    const world = new World();
    for (const id of ['x', 'y'])
      for (const name of ['1', '2', '3']) world.start(id + name, { server: { ...CRM, id } });
    await world.settle();
    expect(world.begun).toEqual(['x1', 'x2', 'y1', 'y2']);
  });

  it.each([
    [30_000, 10_000],
    [4_000, 2_000],
  ])(
    'one that may take %i ms waits %i ms for its place, and is not begun then',
    async (timeout_ms, waitMs) => {
      const world = new World();
      const server = { ...CRM, limits: { timeout_ms, concurrency: 1 } };
      const first = world.start('first', { server });
      const second = world.start('second', { server });
      await world.time.pass(waitMs - 1);
      await world.settle();
      const third = world.start('third', { server });
      await world.time.pass(1);
      expect(await second.outcome).toMatchObject(BUSY);
      first.answer();
      await world.settle();
      expect(world.begun).toEqual(['first', 'third']);
      third.answer();
      await third.outcome;
      expect(world.time.isIdle).toBe(true);
    },
  );

  it('has a line with an end', async () => {
    const world = new World();
    const calls = Array.from({ length: 2 + 256 + 1 }, (_, index) => world.start(String(index)));
    expect(await calls.at(-1)?.outcome).toMatchObject(BUSY);
    expect(world.begun).toEqual(['0', '1']);
  });

  it('counts none that was given up: waiting, or under way, whether it minds that or not', async () => {
    const world = new World();
    const stop = new AbortController();
    world.start('a', { signal: stop.signal });
    world.start('b');
    const waiting = world.start('c', { signal: stop.signal });
    world.start('d');
    await world.settle();
    const reason = new Error('the attempt ends');
    stop.abort(reason);
    expect(await waiting.outcome).toBe(reason);
    await world.settle();
    expect(world.begun).toEqual(['a', 'b', 'd']);
    expect(await world.start('e', { signal: stop.signal }).outcome).toBe(reason);
  });

  it('is not forgotten by a call that answers after it was given up', async () => {
    const world = new World();
    const stop = new AbortController();
    const late = world.start('late', { signal: stop.signal });
    await world.settle();
    stop.abort(new Error('the attempt ends'));
    late.answer();
    expect(await late.outcome).toBe('late');
    for (const name of ['a', 'b', 'c']) world.start(name);
    await world.settle();
    expect(world.begun).toEqual(['late', 'a', 'b']);
  });
});

describe('an unreachable tool server', () => {
  it.each<[string, Error, boolean]>([
    ['no server listens', UNREACHED, true],
    ['the connection broke', coded('FETCH_BROKE_OFF'), true],
    ['a process broke off', coded('EPIPE'), true],
    ['that, inside another error', new Error('no', { cause: coded('ECONNREFUSED') }), true],
    ['it answered with an error', Object.assign(new Error('no'), { status: 503 }), false],
    ['what it answered is of no use', coded('FETCH_IN_VAIN'), false],
    ['it may not be called', coded('FETCH_NOT_SENT'), false],
    ['a word of the tool', new Error('there is no such order'), false],
  ])('after five times "%s": is it left alone?', async (_name, failure, expected) => {
    const world = new World();
    expect(await world.fail(5, failure)).toEqual(Array(5).fill(failure));
    const next = await world.call(failure);
    if (expected) expect(next).toMatchObject(SILENT);
    else expect(next).toBe(failure);
  });

  it('is tried by one call when its pause is over, and called by all when that one gets an answer', async () => {
    const world = new World();
    await world.fail(5, UNREACHED);
    await world.time.pass(5_000);
    const probe = world.start('probe');
    await world.settle();
    expect(await world.call()).toMatchObject(SILENT);
    probe.answer();
    await probe.outcome;
    expect(await world.fail(4, UNREACHED)).toEqual(Array(4).fill(UNREACHED));
  });

  it('is left alone for longer after another failed trial', async () => {
    const world = new World();
    await world.fail(5, UNREACHED);
    await world.time.pass(5_000);
    expect(await world.call(UNREACHED)).toBe(UNREACHED);
    await world.time.pass(5_000);
    expect(await world.call(UNREACHED)).toMatchObject(SILENT);
    await world.time.pass(5_000);
    expect(await world.call()).toBe('ok');
  });

  it.each<['opening' | 'call', number, Error, boolean]>([
    ['opening', 10_000, TIMEOUT, true],
    ['opening', 9_999, TIMEOUT, false],
    ['opening', 30_000, new Error('the attempt ends'), false],
    ['call', 30_000, TIMEOUT, false],
  ])(
    'five times %s with %i ms that ends by %s: is it left alone?',
    async (what, timeout_ms, reason, expected) => {
      const world = new World();
      const server = { ...CRM, limits: { timeout_ms, concurrency: 8 } };
      for (let time = 0; time < 5; time += 1) {
        const stop = new AbortController();
        world.start('x', { server, what, signal: stop.signal });
        await world.settle();
        stop.abort(reason);
      }
      expect(await world.call(null, server)).toEqual(expected ? expect.objectContaining(SILENT) : 'ok');
    },
  );

  it('is not what it was before once its tenant has changed it', async () => {
    const world = new World();
    await world.fail(5, UNREACHED);
    expect(await world.call(null, { ...CRM, version: 2 })).toBe('ok');
  });

  it('does not block calls to another one', async () => {
    const world = new World();
    await world.fail(5, UNREACHED);
    expect(await world.call(null, { ...CRM, id: 'other' })).toBe('ok');
  });

  it('has those refused at once that wait for a place there', async () => {
    const world = new World();
    const server = { ...CRM, limits: { timeout_ms: 30_000, concurrency: 1 } };
    await world.fail(4, UNREACHED, server);
    const [first, second] = ['1', '2'].map((name) => world.start(name, { server }));
    await world.settle();
    first?.fail(UNREACHED);
    expect(await second?.outcome).toMatchObject(SILENT);
    expect(world.begun).toEqual(['1']);
  });
});

describe('the memory of failed servers', () => {
  it('is nothing of servers that are well and idle', async () => {
    const world = new World();
    for (let id = 0; id < 1_000; id += 1) await world.call(null, { ...CRM, id: String(id) });
    expect(world.calls.size).toBe(0);
    world.start('x');
    expect(world.calls.size).toBe(1);
  });

  it('is bounded for any failures', async () => {
    const world = new World();
    for (let id = 0; id < 10_500; id += 1) await world.call(UNREACHED, { ...CRM, id: String(id) });
    expect(world.calls.size).toBe(10_000);
  });
});
