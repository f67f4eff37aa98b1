import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../api/problem.js';
import type { RecordedEntry } from '../../api/types.js';
import { TimelineReader } from './timeline-reader.js';
import { sumOf } from './timeline-sum.js';

const PAUSES = { refreshMs: 1, beforeRetry: () => Promise.resolve() };

const call = (id: string, status = 'succeeded', more: Partial<RecordedEntry> = {}) =>
  ({
    ...{ id, kind: 'tool_call', scope: '', parent_id: null, status, tool_name: 'look', call: id, step: null },
    started_at: '2026-11-28T12:00:00.000Z',
    finished_at: status === 'started' ? null : '2026-11-28T12:00:01.000Z',
    ...more,
  }) as RecordedEntry;

/** Reads pages by the numbers that are their cursors, and notes which were asked for. */
function readerOf(pages: RecordedEntry[][], fail: (asked: number) => number | null = () => null) {
  const asked: number[] = [];
  const reader = new TimelineReader((cursor) => {
    const page = Number(cursor ?? 0);
    const status = fail(asked.push(page));
    if (status !== null) return Promise.reject(new ApiProblem(status, 'title', 'detail', null, null));
    const next_cursor = page + 1 < pages.length ? String(page + 1) : null;
    return Promise.resolve({ data: pages[page] ?? [], next_cursor });
  }, PAUSES);
  return { reader, asked, ids: () => reader.getState().entries.map(({ id }) => id) };
}

const forever = () => new AbortController().signal;

describe('the reader of a timeline', () => {
  it('shows the first page at once, and reads on to the end of a run that is over', async () => {
    const { reader, asked, ids } = readerOf([[call('a')], [call('b')], [call('c')]]);
    const shown: string[][] = [];
    reader.subscribe(() => shown.push(ids()));
    reader.setOver(true);
    await reader.read(forever());
    expect(shown[0]).toEqual(['a']);
    expect([ids(), reader.getState().progress]).toEqual([['a', 'b', 'c'], 'read']);
    // Once more the last page, on which something may have come since.
    expect(asked).toEqual([0, 1, 2, 2]);
  });

  it('reads those pages again that hold entries which are not over, and what comes behind the last one', async () => {
    const pages = [[call('a', 'started')], [call('b')], [call('c')]];
    const { reader, asked, ids } = readerOf(pages, (count) => {
      if (count === 3) {
        pages[0] = [call('a')];
        pages.push([call('d')]);
        reader.setOver(true);
      }
      return null;
    });
    await reader.read(forever());
    expect(asked).toEqual([0, 1, 2, 3, 0, 3]);
    expect(ids()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('tries again after a passing failure, and goes on from there after another one', async () => {
    const { reader, asked, ids } = readerOf([[call('a')], [call('b')]], (count) =>
      count === 2 ? 503 : count === 3 ? 403 : null,
    );
    reader.setOver(true);
    await reader.read(forever());
    expect([ids(), reader.getState().progress]).toEqual([['a'], 'failed']);
    await reader.read(forever());
    expect([ids(), reader.getState().progress]).toEqual([['a', 'b'], 'read']);
    expect(asked.slice(0, 4)).toEqual([0, 1, 1, 1]);
  });

  it('takes nothing of a page that comes after it was left', async () => {
    const leaving = new AbortController();
    const { reader, ids } = readerOf([[call('a')], [call('b')]], (count) => {
      if (count === 2) leaving.abort();
      return null;
    });
    await reader.read(leaving.signal);
    expect(ids()).toEqual(['a']);
  });
});

describe('the sums of a run', () => {
  const model = (scope: string, tokens: number | null, cost_usd: string | null) =>
    call(`m${scope}${tokens}`, 'succeeded', {
      ...{ kind: 'model_call', scope, input_tokens: tokens, output_tokens: tokens, cost_usd },
    });

  it('count calls by how they ended, and those of sub-agents apart', () => {
    const sum = sumOf([
      ...[call('1', 'failed'), call('2', 'outcome_unknown'), call('3'), call('4', 'requested')],
      ...[model('', 100, '0.25'), model('1.0', 10, '0.5'), model('1.1', 5, null)],
    ]);
    expect(sum).toMatchObject({
      toolCalls: 3,
      failedCalls: 1,
      unknownCalls: 1,
      subAgents: 2,
      hasSteps: false,
    });
    expect(sumOf([call('1', 'succeeded', { step: 'find' })]).hasSteps).toBe(true);
    expect(sum.models).toEqual({ calls: 3, inputTokens: 115, outputTokens: 115, cost: 0.75 });
    expect(sum.subAgentModels).toEqual({ calls: 2, inputTokens: 15, outputTokens: 15, cost: 0.5 });
  });

  it('are unknown where nothing is known', () => {
    expect(sumOf([model('', null, null)]).models).toEqual({
      ...{ calls: 1, inputTokens: null, outputTokens: null, cost: null },
    });
  });
});
