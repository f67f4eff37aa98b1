import { describe, expect, it } from '@jest/globals';
import { answersAfter, currentRound, lastUserTurn } from './conversation.js';
import type { InputItem } from './input-item.js';

const user = (text: string): InputItem => ({ type: 'message', role: 'user', text });
const says = (text: string): InputItem => ({ type: 'message', role: 'assistant', text, id: null });
const call = (callId: string): InputItem => ({
  type: 'function_call',
  id: null,
  callId,
  name: 'f',
  arguments: '',
});
const output = (callId: string): InputItem => ({ type: 'function_call_output', callId, output: '' });
const reasoning: InputItem = { type: 'reasoning', id: 'rs_1', encryptedContent: null };

describe('the round that is asked for', () => {
  it.each<[string, InputItem[], number]>([
    ['nothing was answered', [user('a')], 1],
    [
      'one answer with two parallel calls',
      [user('a'), reasoning, says('x'), call('1'), call('2'), output('1'), output('2')],
      2,
    ],
    ['two rounds of tools', [user('a'), call('1'), output('1'), call('2'), output('2')], 3],
    ['an earlier turn does not count', [user('a'), call('1'), output('1'), says('x'), user('b')], 1],
    ['no user at all', [says('x')], 2],
  ])('%s', (_name, items, round) => {
    expect(currentRound(items)).toBe(round);
  });

  it('can be counted from an earlier message of the user', () => {
    const items = [user('script'), call('1'), output('1'), says('x'), user('go on'), says('y')];
    const turn = lastUserTurn(items, (text) => text === 'script');
    expect(turn).toEqual({ text: 'script', index: 0 });
    expect(answersAfter(items, 0)).toBe(3);
    expect(lastUserTurn(items)?.text).toBe('go on');
    expect(lastUserTurn([])).toBeNull();
  });
});
