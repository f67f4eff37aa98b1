import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StopReason } from '#libs/agent-core';
import type { Claim, IsolationPlace } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { flagsOfChild, ProcessIsolation } from './process-isolation.js';

it.each<[string, string[], string[]]>([
  ['none of its worker', [], []],
  [
    'the small young generation of its worker, and nothing else of it',
    ['--enable-source-maps', '--max-semi-space-size=4', '--cpu-prof', '--max-old-space-size=64'],
    ['--max-semi-space-size=4'],
  ],
])('a process with a suspect has a heap of its own size and %s', (_what, own, inherited) => {
  expect(flagsOfChild(own, 512)).toEqual([...inherited, '--max-old-space-size=512']);
});

/** A program that logs the begin and the end of its slow start, and finishes its run at once. */
const PROGRAM = `
  import { appendFileSync } from 'node:fs';
  const log = new URL('./log', import.meta.url);
  appendFileSync(log, 'starts ');
  setTimeout(() => {
    appendFileSync(log, 'stands ');
    process.send({ kind: 'ready' });
  }, 200);
  process.on('message', ({ kind }) => {
    if (kind === 'run') process.send({ kind: 'done' }, () => process.exit(0));
  });
`;

describe('processes with suspects', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'isolation-'));
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function isolation(): ProcessIsolation {
    const program = join(folder, 'program.mjs');
    const meter = { record: () => undefined };
    const limits = { heapMb: 128, leaseMs: 60_000, hangLimitMs: 60_000 };
    return new ProcessIsolation({ program, ...limits, clock: systemClock, meter }, 3);
  }

  const claim = { remainingMs: 60_000, claimedAtMs: 0, isCancelled: false } as Claim;
  interface Stop {
    readonly abort?: StopReason;
    readonly isDraining?: boolean;
  }
  const runIn = (place: IsolationPlace | null, stop: Stop = {}) => {
    const abort = stop.abort === undefined ? new AbortController().signal : AbortSignal.abort(stop.abort);
    const drain = stop.isDraining === true ? AbortSignal.abort() : new AbortController().signal;
    return place?.run(claim, { abort, drain });
  };
  const run = (of: ProcessIsolation, stop?: Stop) => runIn(of.reserve(), stop);
  /** Runs suspects that were claimed at the same time. */
  const runTogether = (of: ProcessIsolation, count: number) => {
    const places = Array.from({ length: count }, () => of.reserve());
    return Promise.all(places.map(async (place) => runIn(place)));
  };

  it('start one after the other, and run side by side', async () => {
    const all = isolation();
    expect(await runTogether(all, 3)).toEqual(['done', 'done', 'done']);
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('starts stands '.repeat(3));
  });

  it('are not claimed by another worker while one starts', async () => {
    const all = isolation();
    const running = run(all);
    expect(all.reserve()).toBeNull();
    await running;
    expect(all.reserve()).not.toBeNull();
  });

  it('let the next one start when one has ended before it stood', async () => {
    const all = isolation();
    const broken = new ProcessIsolation({ ...all['options'], program: join(folder, 'missing.mjs') }, 2);
    expect(await runTogether(broken, 2)).toEqual(['not_started', 'not_started']);
  });

  it.each([{ abort: 'lease_lost' }, { isDraining: true }] as const)(
    'do not start any more for a worker that %j',
    async (stop) => {
      writeFileSync(join(folder, 'log'), '');
      expect(await run(isolation(), stop)).toBe('broke_off');
      expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('');
    },
  );

  it('start for what was cancelled, so that it ends as such', async () => {
    expect(await run(isolation(), { abort: 'cancelled' })).toBe('done');
  });
});
