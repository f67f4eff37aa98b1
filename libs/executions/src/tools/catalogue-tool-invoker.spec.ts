import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { ROOT } from '#libs/agent-core';
import { systemTimers, type JsonValue } from '#libs/kernel';
import type { ReadableMedia } from '#libs/payloads';
import { PassingFailure, ToolCatalogue, ToolOutcomeUnknown, type ToolDefinition } from '#libs/tooling';
import { aClaim } from '../../../../test/support/builders/claim.js';
import { aTool } from '../../../../test/support/builders/tool.js';
import { CatalogueToolInvoker } from './catalogue-tool-invoker.js';

const CANARY = 'canary-5b1f';
const SAID = { result: { status: 'error' as const, result: { message: 'busy: try later' } } };

/** Calls a tool once with pauses that take no time; returns its outcome and the log. */
async function call(
  tool: ToolDefinition,
  input: JsonValue = {},
  nativeMedia: readonly ReadableMedia[] = ['image'],
) {
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(line) });
  const invoker = new CatalogueToolInvoker(
    aClaim(),
    {
      catalogue: new ToolCatalogue([tool]),
      events: { emit: () => undefined },
      nativeMedia,
      lateOutcomes: { recordLateOutcomes: () => Promise.resolve() },
    } as unknown as ConstructorParameters<typeof CatalogueToolInvoker>[1],
    {
      files: { open: (_owner, deliveries) => Promise.resolve(deliveries as never) },
      timers: { after: (ms, act) => systemTimers.after(ms > 4_000 ? ms : 0, act) },
      random: () => 0,
      sha256: (text) => `${text.length}`.padEnd(24, '0'),
      logger,
    },
  );
  const at = { scope: ROOT, round: 1, position: 0, callId: 'c1', toolName: tool.name, input };
  return { answer: await invoker.invoke(at, new AbortController().signal), log: lines.join('') };
}

function failing(effect: ToolDefinition['effect'], failures: readonly (() => Error)[], isForeign = false) {
  const keys: string[] = [];
  const tool = aTool('charge', {
    ...{ effect, isForeign },
    run: (_input, { idempotencyKey }) => {
      const failure = failures[keys.length];
      keys.push(idempotencyKey);
      if (failure !== undefined) return Promise.reject(failure());
      return Promise.resolve({ result: { status: 'success', result: { charged: true } } });
    },
  });
  return { tool, keys };
}

it('a tool that changes its input changes nothing that others read', async () => {
  const input = { items: ['tea'] };
  const run: ToolDefinition['run'] = (given) => {
    (given as typeof input).items.push('milk');
    return Promise.resolve({ result: { status: 'success', result: given as typeof input } });
  };
  const { answer } = await call(aTool('order', { run }), input);
  expect(answer?.outcome).toMatchObject({ result: { result: { items: ['tea', 'milk'] } } });
  expect(input).toEqual({ items: ['tea'] });
});

describe('the pictures of a call', () => {
  const png = (bytes: number) => Buffer.alloc(bytes, 1).toString('base64');
  const blob = (base64: string, mimeType = 'image/png') => ({
    ...{ type: 'blob' as const, base64, mimeType, filename: 'shot.png' },
  });
  const outcomeOf = async (
    outputs: readonly ReturnType<typeof blob>[],
    native: readonly ReadableMedia[] = ['image'],
  ) => {
    const run = () =>
      Promise.resolve({ result: { status: 'success' as const, result: {} }, outputs: [...outputs] });
    const outcome = (await call(aTool('look', { run }), {}, native)).answer?.outcome;
    if (outcome?.status !== 'succeeded') throw new Error('the call has not succeeded');
    return outcome;
  };
  const shown = async (outputs: readonly ReturnType<typeof blob>[]) => (await outcomeOf(outputs)).pictures;

  it('go to the model', async () => {
    expect(await shown([blob(png(3))])).toEqual([
      { kind: 'image', name: 'shot.png', mediaType: 'image/png', base64: png(3) },
    ]);
  });

  it('do not where they are none, are too large or too many', async () => {
    expect(await shown([blob(png(3), 'application/zip'), blob(png(3), 'image/svg+xml')])).toBeUndefined();
    expect(await shown([blob(png(3 * 2 ** 20 + 1)), blob(png(6))])).toMatchObject([{ base64: png(6) }]);
    expect(await shown(Array.from({ length: 6 }, () => blob(png(3))))).toHaveLength(4);
  });

  const zip = blob(png(3), 'application/zip');
  const six = Array.from({ length: 6 }, () => blob(png(3)));
  it.each<[string, ReturnType<typeof blob>[], ReadableMedia[], string]>([
    [
      'how many a model lacks that reads none',
      [blob(png(3)), zip],
      [],
      '[1 picture of this answer left out: this model reads no pictures]',
    ],
    [
      'how many had no room',
      six,
      ['image'],
      '[2 pictures of this answer left out: there is no room for more]',
    ],
    ['nothing where all are seen', [blob(png(3)), zip], ['image'], ''],
    ['nothing where there are none', [zip], [], ''],
  ])('are missed in the text, which says %s', async (_what, outputs, native, note) => {
    const { output } = await outcomeOf(outputs, native);
    expect(/\n(\[.*\])$/.exec(output)?.[1] ?? '').toBe(note);
  });
});

describe('a call that fails in passing', () => {
  const busy = (status: number) => () => new PassingFailure(SAID, status);
  const unreached = () =>
    new PassingFailure(SAID, null, { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });

  it.each(['read', 'idempotent'] as const)(
    'is made again where it is %s, under the same key',
    async (effect) => {
      const { tool, keys } = failing(effect, [busy(503), unreached]);
      expect((await call(tool)).answer?.outcome).toMatchObject({
        status: 'succeeded',
        result: { status: 'success' },
      });
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
    },
  );

  it.each(['read', 'idempotent'] as const)(
    'answers what the other side said once no try is left: %s',
    async (effect) => {
      const { tool, keys } = failing(effect, [busy(503), busy(503), busy(503)]);
      expect((await call(tool)).answer?.outcome).toMatchObject({ status: 'succeeded', result: SAID.result });
      expect(keys).toHaveLength(3);
    },
  );

  it.each([
    ['was refused, so nothing happened', busy(429), 'said'],
    ['was answered 5xx, so it may have happened', busy(503), 'unknown'],
    ['was answered 408, so it may have happened', busy(408), 'unknown'],
    [
      'was not answered, so it may have happened',
      () => new PassingFailure(SAID, null, { cause: new ToolOutcomeUnknown('broke off') }),
      'unknown',
    ],
    ['never left, so nothing happened', unreached, 'said'],
  ])('an unsafe one that %s is made once', async (_what, failure, becomes) => {
    const { tool, keys } = failing('unsafe', [failure]);
    const { answer } = await call(tool);
    expect(keys).toHaveLength(1);
    if (becomes === 'unknown') expect(answer).toEqual({ outcome: null, error: expect.any(String) });
    else expect(answer?.outcome).toMatchObject({ status: 'succeeded', result: SAID.result });
  });
});

describe('the log line of a failed call', () => {
  const quoting = (): Error =>
    Object.assign(new ToolOutcomeUnknown(`he said ${CANARY}`, { cause: new Error(CANARY) }), {
      ...{ serverText: CANARY, code: 'ECONNRESET', status: 502, answer: { text: CANARY } },
    });

  it('is all of an error of ours', async () => {
    const { log } = await call(failing('unsafe', [quoting]).tool);
    expect(log).toContain(CANARY);
  });

  it.each(['read', 'unsafe'] as const)('has no text of a foreign server: %s', async (effect) => {
    const { log } = await call(failing(effect, [quoting, quoting, quoting], true).tool);
    expect(log).toContain('"code":"ECONNRESET","status":502');
    expect(log).toContain('"tool":"charge"');
    expect(log).not.toContain(CANARY);
  });

  it('is no code that is none', async () => {
    const odd = () => Object.assign(new Error(CANARY), { name: `x ${CANARY}`, code: { [CANARY]: 1 } });
    const { log } = await call(failing('unsafe', [odd], true).tool);
    expect(log).toContain('tool failed');
    expect(log).not.toContain(CANARY);
  });
});

describe('a call that is over', () => {
  const done = { result: { status: 'success' as const, result: {} } };

  it.each<[string, () => Promise<typeof done>]>([
    ['was answered', () => Promise.resolve(done)],
    ['has failed', () => Promise.reject(new Error('no'))],
  ])('and %s leaves no listener on its signal', async (_how, run) => {
    const signals: AbortSignal[] = [];
    const tool = aTool('look', {
      run: (_input, { signal }) => {
        signals.push(signal);
        expect(getEventListeners(signal, 'abort')).not.toEqual([]);
        return run();
      },
    });
    await call(tool);
    expect(signals).toHaveLength(1);
    for (const signal of signals) expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
