import type { ReachedLimit, Submitted } from '#libs/executions';
import { AppError, assertNever } from '#libs/kernel';
import type { ExecutionView } from '#libs/payloads';
import { ExecutionFailedError, InvalidRequestError, RetryLaterError } from '../http/request-errors.js';
import { idempotencyKeyReused } from '../idempotency/idempotency.errors.js';
import type { DecisionsDto } from './executions.dto.js';

export function executionNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Execution not found' });
}

/** The database has no index of the texts of inputs. */
export function inputsNotSearchable(): InvalidRequestError {
  return new InvalidRequestError([
    { parameter: 'input', detail: 'cannot be searched here: the database lacks the extension pg_trgm' },
  ]);
}

/** The answer is the same for a session of another agent or tenant (S3-29). */
export function sessionNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Session not found' });
}

/** An archived session takes no executions until it is restored (3.I-4). */
function sessionArchived(): AppError {
  return new AppError({
    code: 'INACTIVE_RESOURCE',
    kind: 'invalid_input',
    message: 'the session is archived',
  });
}

/** Error for a client that waited for the result of an execution that failed (S3-31). */
export function executionFailed({ id, error }: Pick<ExecutionView, 'id' | 'error'>): ExecutionFailedError {
  return new ExecutionFailedError(id, {
    code: error?.code ?? 'INTERNAL_ERROR',
    kind: 'internal',
    message: error?.message ?? 'the execution failed',
  });
}

/** The session stayed busy for as long as a request with the policy `reject` waits (S4-36). */
function conversationLocked(): AppError {
  return new AppError({
    code: 'CONVERSATION_LOCKED',
    kind: 'conflict',
    message: 'the conversation is busy with another execution; try again later',
  });
}

/** The tenant has reached its limit of queued executions. */
function tenantFull({ most, isOwn }: ReachedLimit, retryAfterSeconds: number): AppError {
  const name = isOwn ? 'limits.queued_executions of the tenant' : 'TENANT_QUEUE_LIMIT';
  return new RetryLaterError(
    {
      code: 'QUEUE_FULL',
      kind: 'limit_exceeded',
      message: `${most} executions of the tenant are waiting, the maximum (${name}); try again later`,
    },
    retryAfterSeconds,
  );
}

/** The queue of the whole service exceeds its limit. */
function overloaded(retryAfterSeconds: number): AppError {
  return new RetryLaterError(
    {
      code: 'OVERLOADED',
      kind: 'unavailable',
      message: 'the backlog of the service is full; try again later',
    },
    retryAfterSeconds,
  );
}

/** The error for a submission that was not accepted. */
export function submissionRefused(refusal: Exclude<Submitted, { kind: 'submitted' | 'outdated' }>): AppError {
  switch (refusal.kind) {
    case 'gone':
      return executionNotFound();
    case 'key_reused':
      return idempotencyKeyReused();
    case 'session_busy':
      return conversationLocked();
    case 'session_not_found':
      return sessionNotFound();
    case 'session_archived':
      return sessionArchived();
    case 'tenant_full':
      return tenantFull(refusal.limit, refusal.retryAfterSeconds);
    case 'overloaded':
      return overloaded(refusal.retryAfterSeconds);
    default:
      return assertNever(refusal);
  }
}

/** A retry was requested before the execution ended. */
export function notSettled(): AppError {
  return new AppError({
    code: 'NOT_SETTLED',
    kind: 'conflict',
    message: 'The execution has not ended; wait for it, or cancel it first',
  });
}

/** A completed execution is retried only if the client confirms that its work may be done twice. */
export function alreadyCompleted(): AppError {
  return new AppError({
    code: 'ALREADY_COMPLETED',
    kind: 'conflict',
    message:
      'The execution has completed, and a retry repeats its work; to repeat it, send "even_if_completed": true',
  });
}

/** The execution's tokens were deleted when it ended, so a retry must supply them again. */
export function tokensGone(names: readonly string[]): AppError {
  return new AppError({
    code: 'TOKENS_EXPIRED',
    kind: 'conflict',
    message: `The tokens of an execution are deleted when it ends; send these again in \`tokens\`: ${names.join(', ')}`,
    details: { tokens: names },
  });
}

export function notWaiting(): AppError {
  return new AppError({
    code: 'NO_ACTION_REQUIRED',
    kind: 'conflict',
    message: 'The execution does not wait for a decision',
  });
}

/** A person decided these calls before, with another outcome or reason. */
export function decidedOtherwise(calls: readonly string[]): AppError {
  return new AppError({
    code: 'ALREADY_DECIDED',
    kind: 'conflict',
    message: `These calls already have another decision or reason: ${calls.join(', ')}; read \`decisions\` of their steps`,
    details: { calls },
  });
}

export function wrongKind(calls: readonly string[]): AppError {
  return new AppError({
    code: 'WRONG_DECISION',
    kind: 'conflict',
    message: `\`required_action.calls\` says what each call asks for, \`approval\` or \`outcome\`; these ask for the other: ${calls.join(', ')}`,
    details: { calls },
  });
}

/** Names each decision about a call that does not wait for one, or that an earlier decision already covers. */
export function unknownCalls(
  decisions: DecisionsDto['decisions'],
  calls: readonly string[],
): InvalidRequestError {
  const faults = decisions.flatMap(({ call }, index) =>
    calls.includes(call)
      ? [
          {
            pointer: `#/decisions/${index}/call`,
            detail: 'is not a call that waits for a decision, or is named twice',
          },
        ]
      : [],
  );
  return new InvalidRequestError(faults);
}

/** A file attached to the execution was deleted or has expired. */
export function filesGone(): AppError {
  return new AppError({
    code: 'ATTACHMENT_LOST',
    kind: 'unprocessable',
    message: 'An attached file no longer exists: upload it again, and submit the request again',
  });
}
