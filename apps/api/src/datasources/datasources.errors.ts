import { AppError, assertNever } from '#libs/kernel';
import type { DocumentSearchOutcome } from '#libs/payloads';
import { InvalidRequestError, RetryLaterError } from '../http/request-errors.js';

export function datasourceNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Datasource not found' });
}

export function datasourceNameTaken(): AppError {
  const message = 'Another datasource of the tenant has this name';
  return new AppError({ code: 'DATASOURCE_NAME_TAKEN', kind: 'conflict', message });
}

export function datasourceInUse(what: string): AppError {
  const message = `The datasource has documents; ${what}`;
  return new AppError({ code: 'DATASOURCE_IN_USE', kind: 'conflict', message });
}

export function unknownLlm(): InvalidRequestError {
  return new InvalidRequestError([
    { pointer: '#/llm_id', detail: 'must be a model configuration of the tenant' },
  ]);
}

export function overlapTooLong(): InvalidRequestError {
  return new InvalidRequestError([{ pointer: '#/overlap_tokens', detail: 'must be less than chunk_tokens' }]);
}

export function noWorker(): AppError {
  const message = 'No worker that can search the datasource is available';
  return new AppError({ code: 'NO_WORKER', kind: 'unavailable', message, retryable: true });
}

export function notSearched(): AppError {
  const message = 'The worker that searched the datasource did not answer in time';
  return new AppError({ code: 'RETRIEVAL_FAILED', kind: 'unavailable', message, retryable: true });
}

/** Delay before a retry where the embedding server suggests none, in ms. */
const RETRY_AFTER_MS = 2_000;

/** Error for a search that a worker could not perform. */
export function refusedSearch(
  refusal: Extract<DocumentSearchOutcome, { readonly kind: 'refused' }>,
): AppError {
  const { fault, message, is_passing, retry_after_ms } = refusal;
  switch (fault) {
    case 'datasource_gone':
      return datasourceNotFound();
    case 'other_model':
      return new InvalidRequestError([{ pointer: '#/embed_model', detail: message }], { message });
    case 'embedding_failed':
    case 'too_slow': {
      const code = 'RETRIEVAL_FAILED';
      if (!is_passing) return new AppError({ code, kind: 'unprocessable', message });
      const seconds = Math.max(1, Math.ceil((retry_after_ms ?? RETRY_AFTER_MS) / 1_000));
      return new RetryLaterError({ code, kind: 'unavailable', message }, seconds);
    }
    default:
      return assertNever(fault);
  }
}
