import { describe, expect, it } from '@jest/globals';
import type { Job } from 'bullmq';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { defineJob } from './define-job.js';
import type { DueRows } from './due-rows.js';
import { JobDispatchers } from './job-dispatchers.js';
import { JobHost } from './job-host.js';

const ID = '0198a000-0000-7000-8000-000000000001';
const config = parseEnv({ DATABASE_URL: 'postgres://127.0.0.1/any' });

/** One waiting row, with the recorded calls. */
class OneRow implements DueRows<'summarize-session'> {
  isDue = true;
  readonly announced: string[] = [];

  take(announced: readonly string[]): Promise<{ sessionId: string }[]> {
    this.announced.push(...announced);
    const due = this.isDue ? [{ sessionId: ID }] : [];
    this.isDue = false;
    return Promise.resolve(due);
  }
  requeue(): Promise<void> {
    this.isDue = true;
    return Promise.resolve();
  }
  isOverdue = () => Promise.resolve(this.isDue);
}

/** A job as a contributor defines it, and a queue that records sent jobs. */
async function fixture(run: (sessionId: string) => Promise<unknown>, isFollowed = false) {
  const rows = new OneRow();
  const sent: { readonly id: string; readonly payload: unknown }[] = [];
  const refusals: Error[] = [];
  const defined = defineJob({
    queue: 'summarize-session',
    concurrency: 3,
    isFollowed,
    inject: ['A_PART'],
    make:
      (part: string) =>
      async ({ sessionId }) => [part, await run(sessionId)],
    rows: { inject: [], make: () => rows },
  });
  const waiting = new Map([[defined.queue, (await defined.rows?.useFactory()) as DueRows]]);
  const dispatchers = new JobDispatchers(waiting, {
    ...{ config, logger: pino({ level: 'silent' }) },
    send: (_queue, jobs) => {
      const refusal = refusals.pop();
      if (refusal) return Promise.reject(refusal);
      sent.push(...jobs);
      return Promise.resolve();
    },
  });
  const [provider] = defined.module.providers ?? [];
  if (provider === undefined || !('useFactory' in provider)) throw new Error('a host is made by a factory');
  const host: unknown = await provider.useFactory(config, dispatchers, 'a part');
  if (!(host instanceof JobHost)) throw new Error('no host');
  return { rows, sent, refusals, dispatchers, host };
}

const jobOf = (data: unknown): Job => ({ data }) as Job;

describe('a job that is defined', () => {
  it('is sent for a row that is due, and run with what the catalogue says it carries', async () => {
    const { dispatchers, sent, host } = await fixture((sessionId) => Promise.resolve(sessionId));
    expect(await dispatchers.dispatch('summarize-session')).toBe(1);
    expect(sent.map(({ payload }) => payload)).toEqual([{ v: 1, sessionId: ID }]);
    expect(await host.process(jobOf(sent[0]?.payload))).toEqual(['a part', ID]);
    expect(await dispatchers.dispatch('summarize-session')).toBe(0);
    expect(host.concurrency).toBe(3);
  });

  it('has an id of its own each time, since a queue passes over an id that it holds', async () => {
    const { dispatchers, sent, rows } = await fixture(() => Promise.resolve());
    await dispatchers.dispatch('summarize-session');
    rows.isDue = true;
    await dispatchers.dispatch('summarize-session');
    expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
  });

  it('is due again when it could not be sent', async () => {
    const { dispatchers, sent, refusals } = await fixture(() => Promise.resolve());
    refusals.push(new Error('the queue is full'));
    await expect(dispatchers.dispatch('summarize-session')).rejects.toThrow('full');
    expect(await dispatchers.dispatch('summarize-session')).toBe(1);
    expect(sent).toHaveLength(1);
  });

  it('is looked for with what was announced, once', async () => {
    const { dispatchers, rows } = await fixture(() => Promise.resolve());
    dispatchers.announce('summarize-session', ID);
    await dispatchers.dispatch('summarize-session');
    await dispatchers.dispatch('summarize-session');
    expect(rows.announced).toEqual([ID]);
  });

  it.each([
    ['makes another one due where it is followed', true, 1],
    ['does not where it is not', false, 0],
  ])('%s', async (_what, isFollowed, jobs) => {
    const { host, sent } = await fixture(() => Promise.reject(new Error('broken')), isFollowed);
    await expect(host.process(jobOf({ v: 1, sessionId: ID }))).rejects.toThrow('broken');
    await Promise.resolve();
    await Promise.resolve();
    expect(sent).toHaveLength(jobs);
  });

  it('refuses a job of another shape', async () => {
    const { host } = await fixture(() => Promise.resolve());
    await expect(host.process(jobOf({ v: 2, sessionId: ID }))).rejects.toMatchObject({ code: 'INVALID_JOB' });
  });

  it('has no rows where a caller waits for its answer', () => {
    const { rows } = defineJob({
      ...{ queue: 'validate-llm', concurrency: 1, inject: [] },
      make: () => () => Promise.resolve('an answer'),
    });
    expect(rows).toBeNull();
  });
});
