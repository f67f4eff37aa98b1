import type { ModelCallError } from '#libs/agent-core';
import type { ResponseEnding } from '../wire/model-calls/restored-answer.js';
import type { CallLine } from './call-line.js';
import { reportedFailure } from './failure.js';
import { providerWords } from './provider-words.js';

/** Converts a failed response to the error of this library. */
export function failedResponse(
  { code, status, message, reported }: Extract<ResponseEnding, { kind: 'failed' }>,
  requestId: string | null,
  { protocol, secrets }: Pick<CallLine, 'protocol' | 'secrets'>,
): ModelCallError {
  return reportedFailure(protocol.streamName, {
    words: providerWords(message, secrets),
    code,
    responseStatus: status,
    requestId,
    spent: reported,
  });
}
