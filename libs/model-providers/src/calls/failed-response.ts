import type { ModelCallError } from '#libs/agent-core';
import type { ResponseEnding } from '#libs/payloads';
import { reportedFailure } from './failure.js';
import { providerWords } from './provider-words.js';

/** What a provider said instead of an answer, as the error that leaves this library. */
export function failedResponse(
  { code, status, message, reported }: Extract<ResponseEnding, { kind: 'failed' }>,
  requestId: string | null,
  secrets: readonly string[],
): ModelCallError {
  return reportedFailure({
    words: providerWords(message, secrets),
    code,
    responseStatus: status,
    requestId,
    spent: reported,
  });
}
