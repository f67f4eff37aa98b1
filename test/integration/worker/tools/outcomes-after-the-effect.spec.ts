import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogueToolInvoker } from '#libs/executions';
import { systemTimers } from '#libs/kernel';
import { ToolOutcomeUnknown, type OnUnknown, type ToolDefinition, type ToolReturn } from '#libs/tooling';
import { pino } from 'pino';
import { InMemoryShelf } from '../../../support/fakes/in-memory-shelf.js';
import { SessionFiles } from '../../../../apps/worker/src/workspace/session-files.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { ChargingWorld, charging, model, RECEIPT, UNKNOWN } from '../charging-world.js';

let world: ChargingWorld;
beforeAll(async () => {
  world = await ChargingWorld.open();
});
afterAll(() => world.worker.close());

const UNREADABLE = 'the call was carried out, but what it answered cannot be read; do not repeat it';
const asReturn = (value: unknown): ToolReturn => value as ToolReturn;

function endless(): object {
  const loop: Record<string, unknown> = {};
  return Object.assign(loop, { one: loop, other: loop });
}

async function run(tool: ToolDefinition, overrides: Parameters<ChargingWorld['run']>[2] = {}) {
  const id = await world.submit(tool);
  const asked = model();
  const view = await world.run(id, tool, overrides, asked);
  return { id, view, read: asked.requests[1]?.messages.at(-1)?.content, steps: await world.steps(id) };
}

describe('an unsafe tool that did what it should', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['another shape', { receipt: 17 }],
    ['something baked that its domain declares otherwise', { ...RECEIPT, bake: { receiptId: 'five' } }],
    ['something baked that its domain does not declare', { ...RECEIPT, bake: { receiptNumber: 5 } }],
    ['a change that its domain does not apply', { ...RECEIPT, staged: [{ kind: 'refunded', data: {} }] }],
    [
      'a change of a hundred megabytes',
      { ...RECEIPT, staged: [{ kind: 'receipt.saved', data: { x: 'x'.repeat(1e8) } }] },
    ],
    ['a change without an end', { ...RECEIPT, staged: [{ kind: 'receipt.saved', data: endless() }] }],
    [
      'a trap',
      {
        get result() {
          throw new Error('do not look');
        },
      },
    ],
  ])('has succeeded, though it returned %s', async (_what, returned) => {
    const { view, read, steps } = await run(charging('halt', () => Promise.resolve(asReturn(returned))));
    expect(view).toMatchObject({ status: 'completed' });
    expect(read).toBe(UNREADABLE);
    expect(steps).toMatchObject([
      { status: 'succeeded', output: { status: 'success', result: { message: UNREADABLE } } },
    ]);
    expect(steps[0]?.error).toMatch(/\w/);
  });

  it('has succeeded, though its files cannot be had', async () => {
    class BrokenDelivery extends SessionFiles {
      override open(): Promise<never> {
        return Promise.reject(new Error('EIO: the disk is gone'));
      }
    }
    const tool = charging('halt', () => Promise.resolve(RECEIPT));
    const { view, read, steps } = await run(tool, {
      invokerOf: (claim, parts) =>
        new CatalogueToolInvoker(claim, parts, {
          files: new BrokenDelivery(null, new InMemoryShelf()),
          timers: systemTimers,
          random: () => 0,
          sha256: () => '',
          logger: pino({ level: 'silent' }),
        }),
    });
    expect(view).toMatchObject({ status: 'completed' });
    expect(read).toContain('receipt 17');
    expect(steps).toMatchObject([{ status: 'succeeded', error: 'Error: EIO: the disk is gone' }]);
  });
});

it('a tool that only reads has failed when its answer cannot be read', async () => {
  const look = aTool('charge', { effect: 'read', run: () => Promise.resolve(asReturn({})) });
  const { view, steps } = await run(look);
  expect(view).toMatchObject({ status: 'completed' });
  expect(steps).toMatchObject([{ status: 'failed' }]);
});

describe('an unsafe tool whose request broke off', () => {
  let server: Server;
  let charges = 0;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      charges += 1;
      response.socket?.resetAndDestroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const charge = (onUnknown: OnUnknown): ToolDefinition =>
    charging(onUnknown, async () => {
      const { port } = server.address() as AddressInfo;
      await fetch(`http://127.0.0.1:${port}/charge`, { method: 'POST', body: '{}' });
      return RECEIPT;
    });

  it('is not said to have failed: it had charged', async () => {
    const { view, steps } = await run(charge('halt'));
    expect(charges).toBe(1);
    expect(view).toMatchObject(UNKNOWN);
    expect(steps).toMatchObject([{ status: 'outcome_unknown', error: 'TypeError: fetch failed' }]);
  });

  it('asks a person, where it says so', async () => {
    const { view } = await run(charge('ask'));
    expect(view).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ asks: 'outcome' }] },
    });
  });
});

describe('a tool that may be called again', () => {
  /** Runs a tool against a server that resets the first `breakOffs` connections and then answers 500 and 200 in turn. */
  async function charge(effect: ToolDefinition['effect'], breakOffs: number) {
    const requests: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      requests.push(request.headers['idempotency-key']?.toString());
      if (requests.length <= breakOffs) response.socket?.resetAndDestroy();
      else response.writeHead(requests.length % 2 === 0 ? 500 : 200).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const tool = aTool('charge', {
      effect,
      run: async (_input, { idempotencyKey, signal }) => {
        const headers = { 'idempotency-key': idempotencyKey };
        const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, signal });
        if (status >= 500) throw Object.assign(new Error('bad answer'), { status });
        return RECEIPT;
      },
    });
    try {
      return { requests, ...(await run(tool)) };
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it('is called again under one key after the connection broke and after a 500: one call to everybody else (T3)', async () => {
    const { id, requests, view, steps } = await charge('idempotent', 1);
    expect(requests).toEqual(Array(3).fill(`${id}.1.0`));
    expect(view).toMatchObject({ status: 'completed' });
    expect(steps).toMatchObject([{ status: 'succeeded', error: null }]);
  });

  it('has failed when it breaks off again and again', async () => {
    const { requests, view, steps } = await charge('read', 9);
    expect(requests).toHaveLength(3);
    expect(view).toMatchObject({ status: 'completed' });
    expect(steps).toMatchObject([{ status: 'failed' }]);
  });

  it('is none that is unsafe', async () => {
    const { requests, view } = await charge('unsafe', 1);
    expect(requests).toHaveLength(1);
    expect(view).toMatchObject(UNKNOWN);
  });
});

it('an unsafe tool can say itself that it does not know', async () => {
  const tool = charging('inform', () => Promise.reject(new ToolOutcomeUnknown('the bank did not answer')));
  const { view, read, steps } = await run(tool);
  expect(view).toMatchObject({ status: 'completed' });
  expect(read).toContain('it is not known whether this call took effect');
  expect(steps).toMatchObject([
    { status: 'outcome_unknown', error: 'ToolOutcomeUnknown: the bank did not answer' },
  ]);
});

it('an unsafe tool that says that nothing happened has failed', async () => {
  const { view, steps } = await run(
    charging('halt', () => Promise.reject(new Error('the card has expired'))),
  );
  expect(view).toMatchObject({ status: 'completed' });
  expect(steps).toMatchObject([{ status: 'failed', error: 'Error: the card has expired' }]);
});

it('the audit keeps what a tool threw without the secrets that it quotes (S4-37)', async () => {
  const thrown = new Error('401 for Authorization: Bearer abcdef123456 at https://me:hunter22@bank.test');
  const { steps } = await run(charging('halt', () => Promise.reject(thrown)));
  const [step] = steps;
  expect(step?.error).toContain('401 for Authorization');
  expect(step?.error).not.toMatch(/abcdef123456|hunter22/);
});

describe('a worker that is asked to stop', () => {
  it('begins no further unsafe call of the round; the next attempt runs it, once', async () => {
    const keys: string[] = [];
    const tool = charging('halt', ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      world.worker.drain.abort();
      return Promise.resolve(RECEIPT);
    });
    const id = await world.submit(tool);
    const script = [
      aModelAnswer({ toolCalls: [aCall('charge', 'c1'), aCall('charge', 'c2')] }),
      aModelAnswer({ text: 'Done.' }),
    ];
    expect(await world.run(id, tool, {}, new ScriptedModel(script))).toMatchObject({ status: 'queued' });
    expect(keys).toEqual([`${id}.1.0`]);
    expect(await world.steps(id)).toMatchObject([{ status: 'succeeded' }]);
    world.worker.drain = new AbortController();
    expect(await world.run(id, tool, {}, new ScriptedModel(script))).toMatchObject({ status: 'queued' });
    world.worker.drain = new AbortController();
    expect(await world.run(id, tool, {}, new ScriptedModel(script))).toMatchObject({ status: 'completed' });
    expect(keys).toEqual([`${id}.1.0`, `${id}.1.1`]);
    expect(await world.steps(id)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  });
});
