import { describe, expect, it } from '@jest/globals';
import type { ExecutionSummary, Message } from '../api/types.js';
import { turnsOf } from './turns-of.js';

const message = (turn: number, role: Message['role'], execution: string | null = `run-${turn}`) =>
  ({ id: turn * 10, role, turn_number: turn, execution_id: execution }) as Message;
const run = (turn: number) => ({ id: `run-${turn}`, turn_number: turn }) as ExecutionSummary;
const whole = <Row>(...rows: Row[]) => ({ rows, hasMore: false });
const cut = <Row>(...rows: Row[]) => ({ rows, hasMore: true });

const linesOf = (...[messages, runs]: Parameters<typeof turnsOf>): string[] =>
  turnsOf(messages, runs).map(
    ({ number, runId, messages: of }) => `${number} ${runId ?? '-'} ${of.map(({ role }) => role).join()}`,
  );

describe('the turns of a session', () => {
  it('hold the messages of a run, and a run that left none', () => {
    const messages = whole(message(1, 'user'), message(1, 'assistant'), message(3, 'user'));
    expect(linesOf(messages, whole(run(1), run(2), run(3)))).toEqual([
      '1 run-1 user,assistant',
      '2 run-2 ',
      '3 run-3 user',
    ]);
  });

  it('name the run of messages after it was deleted, and none of messages without one', () => {
    const messages = whole(message(1, 'user'), message(2, 'assistant', null));
    expect(linesOf(messages, whole())).toEqual(['1 run-1 user', '2 - assistant']);
  });

  it('leave out the last one of a page of messages, whose others may follow', () => {
    expect(linesOf(cut(message(1, 'user'), message(2, 'user')), whole(run(1), run(2)))).toEqual([
      '1 run-1 user',
    ]);
  });

  it('leave out messages whose runs were not read yet', () => {
    expect(linesOf(whole(message(1, 'user'), message(2, 'user')), cut(run(1)))).toEqual(['1 run-1 user']);
  });
});
