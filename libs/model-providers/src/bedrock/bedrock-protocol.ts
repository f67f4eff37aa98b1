import type { MessagesRequest } from '../wire/messages/messages-request.js';
import { messagesProtocol } from '../anthropic/messages-protocol.js';
import type { WireProtocol } from '../calls/wire-protocol.js';
import { EVENT_STREAM, readBedrockEvents } from './read-bedrock-events.js';

/** Version of the Messages API, as Bedrock names it. */
const API_VERSION = 'bedrock-2023-05-31';

/** The Messages API as Amazon Bedrock has it: the model in the path, the events of a stream in binary frames. */
export const bedrockProtocol: WireProtocol = {
  ...messagesProtocol,
  path: '/model',
  streamType: EVENT_STREAM,
  readEvents: readBedrockEvents,
  locate: (body) => {
    const { model, stream, ...rest } = body as MessagesRequest;
    const operation = stream ? 'invoke-with-response-stream' : 'invoke';
    return {
      path: `/model/${encodeURIComponent(model)}/${operation}`,
      body: { anthropic_version: API_VERSION, ...rest },
    };
  },
};
