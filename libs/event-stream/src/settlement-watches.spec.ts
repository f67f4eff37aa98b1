import { describe, expect, it } from '@jest/globals';
import { toExecutionResult } from '#libs/payloads';
import { anExecutionView } from '../../../test/support/builders/execution-view.js';
import { SettlementWatches } from './settlement-watches.js';

const never = new AbortController().signal;
const ending = { num_turns: 1, session_id: null, title_pending: false };
const result = toExecutionResult(anExecutionView({ status: 'completed' }), ending);

describe('SettlementWatches', () => {
  it.each([
    ['has nothing of the result', null, { kind: 'look' }],
    ['has no JSON', '{"status": "comp', { kind: 'look' }],
    ['has a result of another release', '{"status":"exploded"}', { kind: 'look' }],
    ['has the result', JSON.stringify(result), { kind: 'settled', result }],
  ])('reports a wake-up that %s', async (_name, json, news) => {
    const watches = new SettlementWatches();
    const [watch, other] = [watches.open('a'), watches.open('b')];
    watches.wake({ executionId: 'a', isAtRest: true, result: json });
    expect(await watch.wait(60_000, never)).toEqual(news);
    expect(await other.wait(1, never)).toEqual({ kind: 'silence' });
  });

  it('reports nothing of what is appended before', async () => {
    const watches = new SettlementWatches();
    const watch = watches.open('a');
    watches.wake({ executionId: 'a', isAtRest: false, result: null });
    expect(await watch.wait(1, never)).toEqual({ kind: 'silence' });
  });

  it('keeps a result that came while nobody waited, whatever comes after it', async () => {
    const watches = new SettlementWatches();
    const watch = watches.open('a');
    watches.wake({ executionId: 'a', isAtRest: true, result: JSON.stringify(result) });
    watches.wakeAll();
    expect(await watch.wait(60_000, never)).toEqual({ kind: 'settled', result });
  });

  it('forgets a watch that was closed, and no other of the same execution', async () => {
    const watches = new SettlementWatches();
    const [first, second] = [watches.open('a'), watches.open('a')];
    first.close();
    watches.wakeAll();
    expect(await first.wait(1, never)).toEqual({ kind: 'silence' });
    expect(await second.wait(60_000, never)).toEqual({ kind: 'look' });
  });
});
