import { describe, expect, it } from '@jest/globals';
import { withStepLanes } from './step-lanes.js';
import type { EntryStatus, TimelineEntry } from './timeline-entry.js';

interface Call {
  readonly id: string;
  readonly step?: string;
  readonly round?: number;
  readonly scope?: string;
  readonly status?: EntryStatus;
  readonly at?: number;
}

function call({ id, step, round = 1, scope = '', status = 'succeeded', at = 0 }: Call): TimelineEntry {
  return {
    ...{ id, kind: 'tool_call', parentId: scope === '' ? null : `call of ${scope}`, label: id, detail: '' },
    ...{ status, startedAt: at, finishedAt: status === 'running' ? null : at + 10, stepKey: id },
    madeBy: step === undefined ? null : { name: step, scope, round },
  };
}

const laneOf = (...calls: TimelineEntry[]) => withStepLanes(calls).find(({ kind }) => kind === 'step');

describe('the lanes of steps', () => {
  it('hold the calls of a step that makes several, and leave all others where they are', () => {
    const calls = [
      call({ id: 'find', step: 'find' }),
      call({ id: 'describe[0]', step: 'describe', round: 2, at: 20 }),
      call({ id: 'describe[1]', step: 'describe', round: 2, at: 25 }),
      call({ id: 'search' }),
    ];
    const entries = withStepLanes(calls);
    expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['step-:describe', null],
      ['find', null],
      ['describe[0]', 'step-:describe'],
      ['describe[1]', 'step-:describe'],
      ['search', null],
    ]);
    expect(entries[0]).toMatchObject({ label: 'describe', detail: '2 calls', startedAt: 20, finishedAt: 35 });
  });

  it('are as the last try of their step', () => {
    const tries = (first: EntryStatus, second: EntryStatus) =>
      laneOf(
        call({ id: 'find', step: 'find', round: 1, status: first }),
        call({ id: 'find#2', step: 'find', round: 2, status: second, at: 20 }),
      );
    expect(tries('failed', 'succeeded')).toMatchObject({ status: 'succeeded', detail: '2 tries' });
    expect(tries('failed', 'failed')).toMatchObject({ status: 'failed', finishedAt: 30 });
    expect(tries('failed', 'running')).toMatchObject({ status: 'running', finishedAt: null });
  });

  it('run while one of their calls does, and have failed when one of them has', () => {
    const two = (first: EntryStatus, second: EntryStatus) =>
      laneOf(call({ id: 'a', step: 's', status: first }), call({ id: 'b', step: 's', status: second }))
        ?.status;
    expect([two('failed', 'running'), two('succeeded', 'failed'), two('skipped', 'succeeded')]).toEqual([
      'running',
      'failed',
      'succeeded',
    ]);
  });

  it('are apart for pipelines within each other, also under the same name', () => {
    const entries = withStepLanes([
      ...[call({ id: 'a', step: 's' }), call({ id: 'b', step: 's' })],
      ...[call({ id: 'c', step: 's', scope: '2.1' }), call({ id: 'd', step: 's', scope: '2.1' })],
    ]);
    const lanes = entries.filter(({ kind }) => kind === 'step');
    expect(lanes.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['step-:s', null],
      ['step-2.1:s', 'call of 2.1'],
    ]);
  });
});
