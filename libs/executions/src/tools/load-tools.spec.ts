import { describe, expect, it } from '@jest/globals';
import { LeaseLostError, type StopReason } from '#libs/agent-core';
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

/** Timers that fire on demand; cancelled ones are removed. */
class FiredTimers {
  readonly set = new Map<number, () => void>();

  after(ms: number, act: () => void): () => void {
    this.set.set(ms, act);
    return () => this.set.delete(ms);
  }
}

function load(answer: () => Promise<ToolCatalogue>, stopped?: StopReason) {
  const stop = new AbortController();
  if (stopped) stop.abort(stopped);
  const source = new OneSource(answer);
  const timers = new FiredTimers();
  const run = {
    ...{ tenantId: 't', executionId: 'e', sessionId: 's', scope: '', executor: null },
    ...{ agentTools: {}, hasSkills: false, pinned: null, onEnd: () => undefined },
  };
  const loading = loadTools(source, { ...run, signal: stop.signal }, { executionId: 'e', epoch: 1 }, timers);
  return { stop, source, timers, loading };
}

const catalogue = new ToolCatalogue([]);
const STOPS = ['cancelled', 'deadline'] as const satisfies StopReason[];

describe('loadTools', () => {
  it('answers what the source does, and keeps no timer', async () => {
    const { loading, timers } = load(() => Promise.resolve(catalogue));
    expect([...timers.set.keys()]).toEqual([20_000]);
    expect(await loading).toBe(catalogue);
    expect(timers.set.size).toBe(0);
  });

  it('leaves a source behind that does not answer, to ask it again later', async () => {
    const { loading, timers, source } = load(() => never);
    timers.set.get(20_000)?.();
    await expect(loading).rejects.toMatchObject({
      code: 'TOOLS_UNAVAILABLE',
      kind: 'unavailable',
      message: `a source of the agent's tools did not answer within 20 s`,
      retryable: true,
    });
    expect(source.signal?.aborted).toBe(true);
  });

  it('fails with an outage of the source as the source says it', async () => {
    await expect(load(() => Promise.reject(outage)).loading).rejects.toBe(outage);
  });

  it.each(STOPS)('waits a moment for what is there when the execution is stopped: %s', async (reason) => {
    const { loading, timers, stop, source } = load(() => never);
    stop.abort(reason);
    expect(source.signal?.aborted).toBe(false);
    timers.set.get(1_000)?.();
    expect(await loading).toBeNull();
    expect([source.signal?.aborted, timers.set.size]).toEqual([true, 0]);
  });

  it.each(STOPS)('takes what is there where it was stopped before: %s', async (reason) => {
    // Takes several microtasks, as a source with real I/O does.
    const later = async (): Promise<ToolCatalogue> => {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      return catalogue;
    };
    expect(await load(later, reason).loading).toBe(catalogue);
    expect(await load(() => Promise.reject(outage), reason).loading).toBeNull();
  });

  it('stops waiting once the lease is lost', async () => {
    const { loading } = load(() => never, 'lease_lost');
    await expect(loading).rejects.toThrow(LeaseLostError);
    await expect(load(() => Promise.reject(outage), 'lease_lost').loading).rejects.toThrow(LeaseLostError);
  });
});
