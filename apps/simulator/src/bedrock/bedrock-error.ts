import type { ApiError } from '../http/api-error.js';
import { jsonReply, type Reply } from '../http/reply.js';

const TYPES: Readonly<Record<number, string>> = {
  401: 'UnrecognizedClientException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  409: 'ConflictException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
};

/** An error in the shape of Amazon Bedrock, which names its type in a header. */
export function bedrockErrorReply({ status, body }: ApiError): Reply {
  if (body.code === 'insufficient_quota')
    return reply(400, 'ValidationException', 'Your credit balance is too low to access the API.');
  if (body.code === 'context_length_exceeded')
    return reply(400, 'ValidationException', 'Input is too long for requested model.');
  const fallback = status >= 500 ? 'InternalServerException' : 'ValidationException';
  // An unknown key is forbidden, like one that may not do this.
  return reply(status === 401 ? 403 : status, TYPES[status] ?? fallback, body.message);
}

function reply(status: number, type: string, message: string): Reply {
  const answer = jsonReply(status, { message });
  return { ...answer, headers: { ...answer.headers, 'x-amzn-errortype': `${type}:http://simulator/` } };
}
