import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StopReason } from '#libs/agent-core';
import type { Claim, IsolationPlace } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { waitFor } from '../../../../test/support/services/wait-for.js';
import { flagsOfChild } from './isolated-process.js';
import { ProcessIsolation } from './process-isolation.js';

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

/**
 * A program that logs the begin and the end of its slow start, and each run, which it finishes at once. The id of the
 * execution says what else it does.
 */
const PROGRAM = `
  import { appendFileSync } from 'node:fs';
  const log = (text) => appendFileSync(new URL('./log', import.meta.url), text + ' ');
  log('starts');
  setTimeout(() => {
    log('stands');
    process.send({ kind: 'ready' });
  }, 200);
  process.on('disconnect', () => process.exit(1));
  process.on('message', ({ kind, claim }) => {
    if (kind !== 'run') return;
    log(claim.executionId);
    if (claim.executionId === 'kills') process.exit(1);
    const mayRunMore = claim.executionId !== 'fills';
    process.send({ kind: 'done', mayRunMore }, () => { if (!mayRunMore) process.exit(0); });
    if (claim.executionId === 'leaves') setTimeout(() => { log('ends'); process.exit(1); }, 10);
  });
`;

describe('processes with suspects', () => {
  let folder: string;
  let opened: ProcessIsolation[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'isolation-'));
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  });
  beforeEach(() => writeFileSync(join(folder, 'log'), ''));
  afterEach(() => {
    for (const isolation of opened) isolation.close();
    opened = [];
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function isolation(keptForMs = 60_000, program = 'program.mjs'): ProcessIsolation {
    const meter = { record: () => undefined };
    const limits = { heapMb: 128, leaseMs: 60_000, hangLimitMs: 60_000, keptForMs };
    const options = { program: join(folder, program), ...limits, clock: systemClock, meter };
    const all = new ProcessIsolation(options, 3);
    opened.push(all);
    return all;
  }
  const log = (): string => readFileSync(join(folder, 'log'), 'utf8').trim();

  interface Suspect {
    readonly executionId?: string;
    readonly needsFreshProcess?: boolean;
    readonly abort?: StopReason;
    readonly isDraining?: boolean;
  }
  const runIn = async (place: IsolationPlace | null, { abort, isDraining, ...own }: Suspect = {}) => {
    const claim = {
      executionId: 'runs',
      remainingMs: 60_000,
      claimedAtMs: 0,
      isCancelled: false,
      ...own,
    } as Claim;
    const ending = await place?.run(claim, {
      abort: abort === undefined ? new AbortController().signal : AbortSignal.abort(abort),
      drain: isDraining === true ? AbortSignal.abort() : new AbortController().signal,
    });
    place?.release();
    return ending;
  };
  const run = (of: ProcessIsolation, suspect?: Suspect) => runIn(of.reserve(), suspect);
  /** True if the next place has a process that has started, false without one, undefined without a place. */
  const isNextReady = (of: ProcessIsolation): boolean | undefined => {
    const place = of.reserve();
    place?.release();
    return place?.isReady;
  };
  /** Runs suspects that were claimed at the same time. */
  const runTogether = (of: ProcessIsolation, count: number) => {
    const places = Array.from({ length: count }, () => of.reserve());
    return Promise.all(places.map(async (place) => runIn(place)));
  };

  it('start one after the other, and run side by side', async () => {
    expect(await runTogether(isolation(), 3)).toEqual(['done', 'done', 'done']);
    const started = log()
      .split(' ')
      .filter((word) => word !== 'runs');
    expect(started.join(' ')).toBe('starts stands starts stands starts stands');
  });

  it('are not claimed by another worker while one starts', async () => {
    const all = isolation();
    const running = run(all);
    expect(isNextReady(all)).toBeUndefined();
    await running;
    expect(isNextReady(all)).toBe(true);
  });

  it('let the next one start when one has ended before it stood', async () => {
    const broken = isolation(0, 'missing.mjs');
    expect(await runTogether(broken, 2)).toEqual(['not_started', 'not_started']);
  });

  it.each([{ abort: 'lease_lost' }, { isDraining: true }] as const)(
    'do not start any more for a worker that %j',
    async (stop) => {
      expect(await run(isolation(), stop)).toBe('broke_off');
      expect(log()).toBe('');
    },
  );

  it('start for what was cancelled, so that it ends as such', async () => {
    expect(await run(isolation(), { abort: 'cancelled' })).toBe('done');
  });

  it('run the next suspect as well, also one that is claimed while another process starts', async () => {
    const all = isolation();
    await run(all);
    const [ready, starting] = [all.reserve(), all.reserve()];
    expect([ready?.isReady, starting?.isReady]).toEqual([true, false]);
    const started = runIn(starting);
    expect(await runIn(ready, { executionId: 'next' })).toBe('done');
    expect(isNextReady(all)).toBe(true);
    await started;
    expect(log()).toMatch(/^starts stands runs (?:next starts|starts next) stands runs$/);
  });

  it('stay with a place that is released without a run', async () => {
    const all = isolation();
    await run(all);
    all.reserve()?.release();
    expect(isNextReady(all)).toBe(true);
  });

  it('end before a suspect that has ended a process: its own runs nothing else before', async () => {
    const all = isolation();
    await run(all);
    expect(await run(all, { executionId: 'kills' })).toBe('died');
    await run(all);
    expect(await run(all, { executionId: 'kills', needsFreshProcess: true })).toBe('died');
    expect(log()).toBe('starts stands runs kills starts stands runs starts stands kills');
  });

  it('end with an attempt that has left too much behind', async () => {
    const all = isolation();
    expect(await run(all, { executionId: 'fills' })).toBe('done');
    expect(isNextReady(all)).toBe(false);
  });

  it('are not given to a suspect once they have ended by themselves', async () => {
    const all = isolation();
    await run(all, { executionId: 'leaves' });
    await waitFor(() => isNextReady(all) === false, { description: 'the process to end' });
    expect(await run(all)).toBe('done');
  });

  it('end when no suspect comes, and with their worker', async () => {
    const all = isolation(0);
    await run(all);
    await waitFor(() => isNextReady(all) === false, { description: 'the process to end' });
    const closed = isolation();
    const running = run(closed);
    closed.close();
    await running;
    expect(isNextReady(closed)).toBe(false);
  });
});
