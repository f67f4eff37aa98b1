import { describe, expect, it } from '@jest/globals';
import { toExecutionResult, type NumberedEvent } from '#libs/payloads';
import { anExecutionView } from '../../../test/support/builders/execution-view.js';
import { SettlementWatches } from './settlement-watches.js';

const never = new AbortController().signal;
const ending = { num_turns: 1, session_id: null, title_pending: false };
const result = toExecutionResult(anExecutionView({ status: 'completed' }), ending);

describe('SettlementWatches', () => {
  const ended: NumberedEvent = { id: 9, event: 'result', data: result };
  const text: NumberedEvent = { id: 8, event: 'text_delta', data: { content: 'a', round: 1 } };

  it.each([
    ['does not say what was appended', null, { kind: 'look' }],
    ['has no result', [text], { kind: 'look' }],
    ['has the result', [text, ended], { kind: 'settled', result }],
  ])('reports a wake-up that %s', async (_name, events, news) => {
    const watches = new SettlementWatches();
    const [watch, other] = [watches.open('a'), watches.open('b')];
    watches.wake('a', events);
    expect(await watch.wait(60_000, never)).toEqual(news);
    expect(await other.wait(1, never)).toEqual({ kind: 'silence' });
  });

  it('keeps a result without a waiting client, also after later results', async () => {
    const watches = new SettlementWatches();
    const watch = watches.open('a');
    watches.wake('a', [ended]);
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
