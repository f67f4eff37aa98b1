import type { Queue } from 'bullmq';
import { describe, expect, it } from '@jest/globals';
import { validateLlmJob } from '#libs/payloads';
import { JobCaller } from './job-caller.js';

interface SeenJob {
  readonly processedOn?: number;
  readonly finishedOn?: number;
  readonly returnvalue?: unknown;
  readonly failedReason?: string;
}

/** Calls a job on a fake queue; the job goes through these states and stays in the last one. */
async function call(states: readonly (SeenJob | null)[], limits = { takenWithinMs: 0, answeredWithinMs: 0 }) {
  const removed: string[] = [];
  let looks = 0;
  const queue = {
    add: () => Promise.resolve(),
    getJob: (id: string) => {
      const state = states[Math.min(looks, states.length - 1)] ?? null;
      looks += 1;
      return Promise.resolve(
        state === null ? undefined : { ...state, remove: () => Promise.resolve(removed.push(id)) },
      );
    },
  };
  const caller = new JobCaller(new Map([['validate-llm', queue as unknown as Queue]]));
  const answer = await caller.call('validate-llm', validateLlmJob('default', 1, 'r'), limits);
  return { answer, removed };
}

describe('a job with an awaited answer', () => {
  const patient = { takenWithinMs: 60_000, answeredWithinMs: 60_000 };

  it('answers what the worker has answered, and is removed', async () => {
    const done = { processedOn: 1, finishedOn: 2, returnvalue: { valid: true } };
    expect(await call([{}, { processedOn: 1 }, done], patient)).toEqual({
      answer: { kind: 'answered', value: { valid: true } },
      removed: ['llm-1-r'],
    });
  });

  it.each<[string, readonly (SeenJob | null)[], string, number]>([
    ['not taken by any worker is removed, so that none does later', [{}], 'not_taken', 1],
    ['taken and not answered by a worker', [{ processedOn: 1 }], 'unanswered', 1],
    [
      'over which a worker fails',
      [{ processedOn: 1, finishedOn: 2, failedReason: 'TypeError' }],
      'unanswered',
      1,
    ],
    ['lost from the queue', [null], 'unanswered', 0],
  ])('%s, is said to be so', async (_what, states, kind, removals) => {
    const { answer, removed } = await call(states);
    expect(answer).toEqual({ kind });
    expect(removed).toHaveLength(removals);
  });
});
