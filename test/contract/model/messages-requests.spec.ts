import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import { buildMessagesRequest, type MessagesRequest } from '#libs/model-providers';
import fc from 'fast-check';
import { parseMessagesRequest } from '../../../apps/simulator/src/messages/parse-messages-request.js';
import { seal } from '../../../apps/simulator/src/responses/encrypted-reasoning.js';

/** The official types take what this service sends, but for blocks that are returned as they came. */
type Sent = Omit<MessagesRequest, 'messages'>;
type Taken = Omit<Anthropic.MessageCreateParams, 'messages'>;
const isTaken = (request: Sent): Readonly<Taken> => request as Sent & Readonly<Taken>;

const thought = { type: 'thinking', thinking: 'hm', signature: seal('rs_1', 'hm') };

describe('a request of the Messages API', () => {
  it('fits the API for any conversation', () => {
    const words = fc.string({ unit: 'binary', maxLength: 8 });
    const id = fc.constantFrom('a', 'b', ' ', 'c:1', '\u0000');
    const media = fc.constant([
      { kind: 'image' as const, name: 'a.png', mediaType: 'image/png', base64: 'AAAA' },
      { kind: 'file' as const, name: 'b.pdf', mediaType: 'application/pdf', base64: 'AAAA' },
    ]);
    const message = fc.oneof(
      fc.record({ role: fc.constantFrom('system' as const, 'developer' as const), content: words }),
      fc.record({
        role: fc.constant('user' as const),
        content: words,
        media: fc.oneof(fc.constant([]), media),
      }),
      fc.record({
        role: fc.constant('assistant' as const),
        content: words,
        toolCalls: fc.array(fc.record({ id, name: id, arguments: words }), { maxLength: 2 }),
        providerItems: fc.subarray([thought, { type: 'chat_reasoning' }, { ...thought, signature: '' }]),
      }),
      fc.record({ role: fc.constant('tool' as const), toolCallId: id, content: words }),
    );
    const question = { role: 'user' as const, content: 'hi' };
    const tools = [{ name: 'search' }];
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), fc.boolean(), (messages, hasTools) => {
        const request = buildMessagesRequest({
          ...{ model: 'claude', messages: [...messages, question], parameters: {}, stream: true },
          tools: hasTools ? tools : [],
        });
        expect(isTaken(request)).toBe(request);
        expect(() => parseMessagesRequest(JSON.parse(JSON.stringify(request)))).not.toThrow();
      }),
    );
  });
});
