import { describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '#libs/agent-core';
import type { PromptMessage } from '#libs/payloads';
import { continuation } from './continue-conversation.js';

const asked: ModelRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'find' }],
  tools: [],
  parameters: {},
};
const answer = { toolCalls: ['a', 'b'].map((callId) => ({ callId, toolName: 'search', arguments: '{}' })) };
const said: PromptMessage = {
  ...{ role: 'assistant', content: '' },
  toolCalls: ['a', 'b'].map((id) => ({ id, name: 'search', arguments: '{}' })),
};
const outputs: PromptMessage[] = ['a', 'b'].map((toolCallId) => ({ role: 'tool', toolCallId, content: 'x' }));
const next: ModelRequest = { ...asked, messages: [...asked.messages, said, ...outputs] };

describe('continuation', () => {
  it('gives the outputs that the engine waits for', () =>
    expect(continuation(asked, answer, next)).toEqual([
      { callId: 'a', text: 'x' },
      { callId: 'b', text: 'x' },
    ]));

  it.each<[string, ModelRequest]>([
    ['a shortened history', { ...next, messages: next.messages.slice(1) }],
    ['a changed question', { ...next, messages: [{ role: 'user', content: 'f' }, said, ...outputs] }],
    ['an output that is missing', { ...next, messages: next.messages.slice(0, -1) }],
    [
      'a picture behind the outputs',
      { ...next, messages: [...next.messages, { role: 'user', content: 'p' }] },
    ],
    ['other calls', { ...next, messages: [...asked.messages, { ...said, toolCalls: [] }, ...outputs] }],
    ['other tools', { ...next, tools: [{ name: 't', description: '', parameters: {}, strict: false }] }],
    ['other parameters', { ...next, parameters: { reasoning_effort: 'low' } }],
    ['the same request again', asked],
  ])('begins anew with %s', (_case, request) => expect(continuation(asked, answer, request)).toBeNull());
});
