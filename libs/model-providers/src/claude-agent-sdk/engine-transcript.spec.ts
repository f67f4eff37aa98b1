import { describe, expect, it } from '@jest/globals';
import type { PromptMessage } from '#libs/payloads';
import { buildMessagesRequest } from '../wire/messages/build-messages-request.js';
import { toConversation } from './engine-transcript.js';

const CALL = { id: 'call_1', name: 'search', arguments: '{"query":"roma"}' };
const HISTORY: PromptMessage[] = [
  { role: 'user', content: 'earlier' },
  { role: 'assistant', content: 'answer' },
];

function conversation(messages: PromptMessage[]) {
  let id = 0;
  const built = buildMessagesRequest({
    ...{ model: 'claude-opus-5-5', messages, tools: [], stream: true },
    parameters: { prompt_cache: 'off' },
  });
  return toConversation(built.messages, {
    ...{ sessionId: 's1', folder: '/run/one', model: 'claude-opus-5-5', version: '2', at: 'then' },
    nextId: () => `id${++id}`,
  });
}

describe('toConversation (S4-34)', () => {
  it('answers a first question without a transcript', () =>
    expect(conversation([{ role: 'user', content: 'hello' }])).toEqual({
      entries: [],
      prompt: [{ type: 'text', text: 'hello' }],
    }));

  it('links the messages before the question', () => {
    const { entries, prompt } = conversation([...HISTORY, { role: 'user', content: 'now' }]);
    expect(prompt).toEqual([{ type: 'text', text: 'now' }]);
    expect(entries).toMatchObject([
      {
        ...{
          type: 'user',
          uuid: 'id1',
          parentUuid: null,
          sessionId: 's1',
          cwd: '/run/one',
          timestamp: 'then',
        },
        message: { role: 'user', content: [{ type: 'text', text: 'earlier' }] },
      },
      {
        ...{ type: 'assistant', uuid: 'id2', parentUuid: 'id1', sessionId: 's1' },
        message: { role: 'assistant', stop_reason: 'end_turn', content: [{ type: 'text', text: 'answer' }] },
      },
    ]);
  });

  it('goes on behind the outputs of tools, under the names that the engine has for them', () => {
    const { entries, prompt } = conversation([
      { role: 'user', content: 'find' },
      { role: 'assistant', content: '', toolCalls: [CALL] },
      { role: 'tool', toolCallId: 'call_1', content: 'found' },
    ]);
    expect(prompt).toEqual([{ type: 'text', text: 'Continue from where you left off.' }]);
    expect(entries[1]).toMatchObject({
      message: { stop_reason: 'tool_use', content: [{ type: 'tool_use', name: 'mcp__capstan__search' }] },
    });
    expect(entries[2]).toMatchObject({
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'found' }] },
    });
  });

  it('S4-12: asks what follows the outputs of tools', () => {
    const { entries, prompt } = conversation([
      { role: 'user', content: 'find' },
      { role: 'assistant', content: '', toolCalls: [CALL] },
      { role: 'tool', toolCallId: 'call_1', content: 'found' },
      { role: 'user', content: 'Answer in JSON.' },
    ]);
    expect(entries).toHaveLength(3);
    expect(prompt).toEqual([{ type: 'text', text: 'Answer in JSON.' }]);
  });
});
