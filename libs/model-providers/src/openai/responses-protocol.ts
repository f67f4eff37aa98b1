import { buildResponsesRequest, endingOf, isResponseObject, ResponsesStreamDecoder } from '#libs/payloads';
import type { WireProtocol } from '../calls/wire-protocol.js';
import { reasonsByItself } from './reasons-by-itself.js';

/** Minimum output tokens that the API accepts. */
const PING_OUTPUT_TOKENS = 16;

/** The Responses API, with `store` disabled. */
export const responsesProtocol: WireProtocol = {
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
