import { buildChatRequest, type ChatDialect } from '../wire/chat-completions/build-chat-request.js';
import { ChatStreamDecoder } from '../wire/chat-completions/decode-chat-stream.js';
import { endingOfChat, isChatCompletion } from '../wire/chat-completions/chat-body.js';
import type { WireProtocol } from '../calls/wire-protocol.js';

/** Leaves room for reasoning tokens; a truncated answer is sufficient. */
const PING_OUTPUT_TOKENS = 16;

/** The Chat Completions API in a server's dialect. */
export function chatProtocol(dialect: ChatDialect): WireProtocol {
  return {
    path: '/chat/completions',
    streamName: 'chat completions stream',
    auditName: 'chat_completions_api',
    build: (request, stream) => {
      const body = buildChatRequest({ ...request, stream, dialect });
      return {
        body,
        audited: {
          responseFormat: body.response_format?.type ?? 'text',
          maxOutputTokens: body.max_tokens ?? body.max_completion_tokens,
          hasUser: body.user !== undefined,
          hasStop: body.stop !== undefined,
        },
      };
    },
    isAnswer: isChatCompletion,
    endingOf: endingOfChat,
    openDecoder: () => new ChatStreamDecoder(),
    ping: (model) => ({
      model,
      messages: [{ role: 'user', content: 'ping' }],
      stream: false,
      [dialect.limitField]: PING_OUTPUT_TOKENS,
    }),
  };
}
