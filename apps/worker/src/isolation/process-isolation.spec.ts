import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StopReason } from '#libs/agent-core';
import type { Claim, IsolationPlace } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { waitFor } from '../../../../test/support/services/wait-for.js';
import { flagsOfChild } from './isolated-process.js';
import { ProcessIsolation, type IsolationOptions } from './process-isolation.js';

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
  });
  beforeEach(() => {
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
    writeFileSync(join(folder, 'log'), '');
  });
  afterEach(() => {
    for (const isolation of opened) isolation.close();
    opened = [];
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function isolation(changed: Partial<IsolationOptions> = {}): ProcessIsolation {
    const meter = { record: () => undefined };
    const limits = { heapMb: 128, leaseMs: 60_000, hangLimitMs: 60_000, keptForMs: 60_000 };
    const program = join(folder, 'program.mjs');
    const pauseAfterFailure = () => Promise.resolve();
    const options = { program, ...limits, pauseAfterFailure, clock: systemClock, meter, ...changed };
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
      ...{ executionId: 'runs', remainingMs: 60_000, claimedAtMs: 0, isCancelled: false },
      ...own,
    };
    const ending = await place?.run(claim as Claim, {
      abort: abort === undefined ? new AbortController().signal : AbortSignal.abort(abort),
      drain: isDraining === true ? AbortSignal.abort() : new AbortController().signal,
    });
    place?.release();
    return ending;
  };
  const run = (of: ProcessIsolation, suspect?: Suspect) => runIn(of.reserve(), suspect);
  const hasPlace = (of: ProcessIsolation): boolean => {
    const place = of.reserve();
    place?.release();
    return place !== null;
  };
  const untilReady = (of: ProcessIsolation) =>
    waitFor(() => of.reserve(), { description: 'a place to be ready' });
  /** A place whose process has run nothing. */
  async function prepared(of: ProcessIsolation): Promise<IsolationPlace> {
    of.prepare();
    return untilReady(of);
  }

  it('start one after the other, before their places are given, and run side by side', async () => {
    const all = isolation();
    expect(all.reserve()).toBeNull();
    all.prepare();
    all.prepare();
    expect(all.reserve()).toBeNull();
    const first = await untilReady(all);
    const places = [first, await prepared(all), await prepared(all)];
    expect(log()).toBe('starts stands starts stands starts stands');
    all.prepare();
    expect(await Promise.all(places.map((place) => runIn(place)))).toEqual(['done', 'done', 'done']);
    expect(log()).toBe('starts stands starts stands starts stands runs runs runs');
  });

  it('are tried again after a start that failed, when the pause is over', async () => {
    const pause = Promise.withResolvers<undefined>();
    let pauses = 0;
    const pauseAfterFailure = async () => {
      pauses += 1;
      await pause.promise;
    };
    const broken = isolation({ program: join(folder, 'missing.mjs'), pauseAfterFailure });
    broken.prepare();
    await waitFor(() => pauses === 1, { description: 'the first start to fail' });
    broken.prepare();
    pause.resolve(undefined);
    await waitFor(() => (broken.prepare(), pauses === 2), { description: 'the second start to fail' });
    expect(broken.reserve()).toBeNull();
  });

  it.each([{ abort: 'lease_lost' }, { isDraining: true }] as const)(
    'run nothing any more for a worker that %j',
    async (stop) => {
      const all = isolation();
      expect(await runIn(await prepared(all), stop)).toBe('broke_off');
      expect([log(), hasPlace(all)]).toEqual(['starts stands', true]);
    },
  );

  it('run what was cancelled, so that it ends as such', async () => {
    expect(await runIn(await prepared(isolation()), { abort: 'cancelled' })).toBe('done');
  });

  it('run the next suspect as well', async () => {
    const all = isolation();
    await runIn(await prepared(all));
    expect(await run(all, { executionId: 'next' })).toBe('done');
    expect(log()).toBe('starts stands runs next');
  });

  it('stay with a place that is released without a run', async () => {
    const all = isolation();
    (await prepared(all)).release();
    expect([hasPlace(all), log()]).toEqual([true, 'starts stands']);
  });

  it('end before a suspect that has ended a process: its own runs nothing else before', async () => {
    const all = isolation();
    const [used, fresh] = [await prepared(all), await prepared(all)];
    expect(await runIn(fresh, { executionId: 'kills', needsFreshProcess: true })).toBe('died');
    await runIn(used);
    expect(await run(all, { executionId: 'kills' })).toBe('died');
    await runIn(await prepared(all));
    expect(await run(all, { executionId: 'kills', needsFreshProcess: true })).toBe('died');
    const [start, run2] = ['starts stands', 'runs kills'];
    expect(log()).toBe(`${start} ${start} kills ${run2} ${start} runs ${start} kills`);
  });

  it('report a fresh process that could not be started', async () => {
    const all = isolation();
    await runIn(await prepared(all));
    rmSync(join(folder, 'program.mjs'));
    expect(await run(all, { needsFreshProcess: true })).toBe('not_started');
  });

  it('end with an attempt that has left too much behind', async () => {
    const all = isolation();
    expect(await runIn(await prepared(all), { executionId: 'fills' })).toBe('done');
    expect(hasPlace(all)).toBe(false);
  });

  it('are not given to a suspect once they have ended by themselves', async () => {
    const all = isolation();
    await runIn(await prepared(all), { executionId: 'leaves' });
    await waitFor(() => !hasPlace(all), { description: 'the process to end' });
    expect(await runIn(await prepared(all))).toBe('done');
  });

  it('end when no suspect comes, and with their worker', async () => {
    const all = isolation({ keptForMs: 0 });
    all.prepare();
    await waitFor(() => log().endsWith('stands') && !hasPlace(all), { description: 'the process to end' });
    const closed = isolation();
    const place = await prepared(closed);
    closed.close();
    await runIn(place);
    closed.prepare();
    expect([hasPlace(closed), log()]).toEqual([false, 'starts stands starts stands runs']);
  });
});
