import { buildMessagesRequest, continueMessagesRequest } from '../wire/messages/build-messages-request.js';
import { endingOfMessage, isMessage } from '../wire/messages/messages-body.js';
import { MessagesStreamDecoder } from '../wire/messages/decode-messages-stream.js';
import type { MessagesRequest } from '../wire/messages/messages-request.js';
import type { WireProtocol } from '../calls/wire-protocol.js';

/** Leaves room for reasoning tokens; a truncated answer is sufficient. */
const PING_OUTPUT_TOKENS = 16;

/** The Messages API. */
export const messagesProtocol: WireProtocol = {
  path: '/messages',
  streamName: 'messages stream',
  auditName: 'messages_api',
  build: (request, stream) => {
    const body = buildMessagesRequest({ ...request, stream });
    return {
      body,
      audited: {
        responseFormat: body.output_config?.format?.type ?? 'text',
        maxOutputTokens: body.max_tokens,
        hasUser: body.metadata !== undefined,
        hasStop: body.stop_sequences !== undefined,
      },
    };
  },
  resume: (body, content) => continueMessagesRequest(body as MessagesRequest, content),
  isAnswer: isMessage,
  endingOf: endingOfMessage,
  openDecoder: () => new MessagesStreamDecoder(),
  ping: (model) => ({
    model,
    max_tokens: PING_OUTPUT_TOKENS,
    messages: [{ role: 'user', content: 'ping' }],
    stream: false,
  }),
};
