import { describe, expect, it } from '@jest/globals';
import type { ExecutionEvent } from '#libs/payloads';
import { resultOf, textDelta } from '../../../test/contract/event-stream/sample-events.js';
import { toAppend } from './append-batches.js';
import { Followers } from './followers.js';

const EXECUTION_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const never = new AbortController().signal;
const asksPerson: ExecutionEvent = { event: 'status', data: { status: 'requires_action', attempt: 1 } };
const message = (executionId: string, ...events: ExecutionEvent[]): string =>
  toAppend(executionId, 2, events).line;

describe('Followers', () => {
  it('notifies who follows an execution what was appended, and who waits for its end when that has come', async () => {
    const followers = new Followers();
    const [appended, settled] = [
      followers.appends.open(EXECUTION_ID),
      followers.settlements.open(EXECUTION_ID),
    ];

    followers.hear(message(EXECUTION_ID, textDelta('no news')));
    expect(await appended.wait(1, 60_000, never)).toEqual([{ id: 2, ...textDelta('no news') }]);
    expect(await settled.wait(1, never)).toEqual({ kind: 'silence' });

    followers.hear([message('b', asksPerson), message(EXECUTION_ID, resultOf(EXECUTION_ID))].join('\n'));
    expect(await appended.wait(1, 60_000, never)).toEqual([{ id: 2, ...resultOf(EXECUTION_ID) }]);
    expect(await settled.wait(60_000, never)).toEqual({
      kind: 'settled',
      result: resultOf(EXECUTION_ID).data,
    });
  });

  it('has everybody look who waits for a person to be needed', async () => {
    const followers = new Followers();
    const settled = followers.settlements.open(EXECUTION_ID);
    followers.hear(message(EXECUTION_ID, asksPerson));
    expect(await settled.wait(60_000, never)).toEqual({ kind: 'look' });
  });
});
