import { describe, expect, it } from '@jest/globals';
import { AppError } from '#libs/kernel';
import { ToolCatalogue, ToolSource, type ToolSourceContext } from '#libs/tooling';
import { loadTools } from './load-tools.js';

class OneSource extends ToolSource {
  signal: AbortSignal | undefined;

  constructor(private readonly answer: () => Promise<ToolCatalogue>) {
    super();
  }

  override load({ signal }: ToolSourceContext): Promise<ToolCatalogue> {
    this.signal = signal;
    return this.answer();
  }
}

const never = new Promise<ToolCatalogue>(() => undefined);
const outage = new AppError({
  code: 'SERVER_GONE',
  kind: 'unavailable',
  message: 'no such server',
  retryable: true,
});

/**
 * Loads at a time when so much is left until the deadline; every timer ends as soon as it is set, where `expires` says
 * so.
 */
async function load(answer: () => Promise<ToolCatalogue>, remainingMs: number, { expires = true } = {}) {
  const stop = new AbortController();
  const source = new OneSource(answer);
  const limits: number[] = [];
  let left = remainingMs;
  const timers = {
    after: (ms: number, act: () => void) => {
      limits.push(ms);
      if (expires)
        queueMicrotask(() => {
          left -= ms;
          act();
        });
      return () => limits.push(-ms);
    },
  };
  const run = { tenantId: 't', executionId: 'e', sessionId: 's', scope: '', executor: null, agentTools: {} };
  const loading = loadTools(source, { ...run, signal: stop.signal }, { timers, remainingMs: () => left });
  return { stop, source, limits, loading };
}

describe('loadTools', () => {
  it('answers what the source does, and keeps no timer', async () => {
    const catalogue = new ToolCatalogue([]);
    const { loading, limits } = await load(() => Promise.resolve(catalogue), 300_000, { expires: false });
    expect(await loading).toBe(catalogue);
    expect(limits).toEqual([20_000, -20_000]);
  });

  it.each([
    ['its own limit, and again later as long as there is time', 300_000, 20_000, true],
    ['the deadline, for good', 5_000, 5_000, false],
    ['a moment after the deadline, for good', -3_000, 1_000, false],
  ])(
    'leaves a source behind that does not answer, after %s',
    async (_name, remainingMs, limit, retryable) => {
      const { loading, limits, source } = await load(() => never, remainingMs);
      await expect(loading).rejects.toMatchObject({
        code: 'TOOLS_UNAVAILABLE',
        kind: 'timeout',
        message: `a source of the agent's tools did not answer within ${limit / 1_000} s`,
        retryable,
      });
      expect(limits[0]).toBe(limit);
      expect(source.signal?.aborted).toBe(true);
    },
  );

  it('waits for no source once the attempt has to stop', async () => {
    const { loading, stop } = await load(() => never, 300_000, { expires: false });
    stop.abort('cancelled');
    await expect(loading).rejects.toMatchObject({ code: 'TOOLS_UNAVAILABLE', retryable: true });
  });

  it.each([
    ['as the source says it, while there is time', 1_000, true],
    ['for good, after the deadline', -1, false],
  ])('fails with an outage of the source %s', async (_name, remainingMs, retryable) => {
    const { loading } = await load(() => Promise.reject(outage), remainingMs, { expires: false });
    await expect(loading).rejects.toMatchObject({
      code: 'SERVER_GONE',
      message: 'no such server',
      retryable,
    });
  });
});
