import { ClientProvider } from '../calls/client-provider.js';
import type { WireProtocol } from '../calls/wire-protocol.js';
import { buildResponsesRequest } from '../wire/responses/build-responses-request.js';
import { ResponsesStreamDecoder } from '../wire/responses/decode-responses-stream.js';
import { responsesParameters } from '../wire/responses/read-model-parameters.js';
import { endingOf, isResponseObject } from '../wire/responses/restore-answer.js';
import { openAiCredentials } from './openai-credentials.js';
import { OPENAI_MODELS } from './predefined-models.js';
import { reasonsByItself } from './reasons-by-itself.js';

/** Minimum output tokens that the API accepts. */
const PING_OUTPUT_TOKENS = 16;

/** The Responses API, with `store` disabled. */
const responsesProtocol: WireProtocol = {
  path: '/responses',
  streamName: 'responses stream',
  auditName: 'responses_api',
  build: (request, stream) => {
    const reasons = reasonsByItself(request.model);
    const body = buildResponsesRequest({ ...request, stream, reasons });
    return {
      body,
      audited: {
        responseFormat: body.text.format.type,
        maxOutputTokens: body.max_output_tokens,
        hasUser: body.user !== undefined,
        hasStop: body.truncation !== undefined,
      },
    };
  },
  isAnswer: isResponseObject,
  endingOf: (body) => endingOf(body),
  openDecoder: () => new ResponsesStreamDecoder(),
  ping: (model) => ({
    model,
    input: 'ping',
    stream: false,
    max_output_tokens: PING_OUTPUT_TOKENS,
    text: { format: { type: 'text' } },
    store: false,
  }),
};

/** OpenAI, and servers with its Responses API (S1-6). */
export const openAiProvider = new ClientProvider({
  id: 'openai',
  label: 'OpenAI and compatible servers (Responses API)',
  credentials: openAiCredentials,
  parameters: responsesParameters,
  models: OPENAI_MODELS,
  toleratedFailures: [],
  protocolFor: () => responsesProtocol,
});
