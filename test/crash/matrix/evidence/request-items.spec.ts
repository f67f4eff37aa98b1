import { expect, it } from '@jest/globals';
import { itemsOf } from './request-items.js';

it('a request of the Responses API is its items', () => {
  const input = [{ type: 'message', role: 'user' }];
  expect(itemsOf({ input })).toBe(input);
});

it('a request of the Messages API shows texts, calls and outputs, without the words that let an engine go on', () => {
  const messages = [
    { role: 'user', content: 'Hello.' },
    {
      role: 'assistant',
      content: [{ type: 'thinking' }, { type: 'text', text: 'I look.' }, { type: 'tool_use', id: 'a' }],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a' },
        { type: 'text', text: 'Continue from where you left off.' },
      ],
    },
  ];
  expect(itemsOf({ messages })).toEqual([
    { type: 'message', role: 'user', content: 'Hello.' },
    { type: 'message', role: 'assistant', content: 'I look.' },
    { type: 'function_call', call_id: 'a' },
    { type: 'function_call_output', call_id: 'a' },
  ]);
});
