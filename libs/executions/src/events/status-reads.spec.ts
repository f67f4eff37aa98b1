import { describe, expect, it } from '@jest/globals';
import type { ExecutionStatus } from '#libs/payloads';
import { ManualTime } from '../../../../test/support/fakes/manual-time.js';
import { StatusReads } from './status-reads.js';

function readsUnderTest(stored: Readonly<Record<string, ExecutionStatus>>) {
  const time = new ManualTime();
  const asked: string[][] = [];
  const findStatuses = (ids: readonly string[]) => {
    asked.push([...ids]);
    return Promise.resolve(new Map(ids.flatMap((id) => (stored[id] ? [[id, stored[id]] as const] : []))));
  };
  return { time, asked, reads: new StatusReads({ findStatuses }, time) };
}

describe('the statuses of followed executions', () => {
  it('are one read for all that is asked within a second', async () => {
    const { time, asked, reads } = readsUnderTest({ a: 'running', b: 'completed' });
    const answers = [reads.statusOf('a'), reads.statusOf('gone')];
    await time.pass(900);
    answers.push(reads.statusOf('b'), reads.statusOf('a'));
    expect(asked).toEqual([]);
    await time.pass(100);

    expect(await Promise.all(answers)).toEqual(['running', null, 'completed', 'running']);
    expect(asked).toEqual([['a', 'gone', 'b']]);

    const later = reads.statusOf('b');
    await time.pass(1_000);
    expect(await later).toBe('completed');
    expect(asked).toHaveLength(2);
  });

  it('are asked for a thousand at a time', async () => {
    const { time, asked, reads } = readsUnderTest({});
    const answers = Promise.all(
      Array.from({ length: 2_500 }, (_unused, index) => reads.statusOf(`${index}`)),
    );
    await time.pass(5_000);

    expect(await answers).toHaveLength(2_500);
    expect(asked.map((ids) => ids.length)).toEqual([1_000, 1_000, 500]);
  });
});
