import { AppError } from '#libs/kernel';
import { InvalidRequestError } from '../http/invalid-request.error.js';
import type { DecisionsDto } from './approval.dto.js';

export function notWaiting(): AppError {
  return new AppError({
    code: 'NO_ACTION_REQUIRED',
    kind: 'conflict',
    message: 'The execution does not wait for a decision',
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

/** Names each decision that is about no waiting call, or about one that was named before. */
export function unknownCalls(
  decisions: DecisionsDto['decisions'],
  calls: readonly string[],
): InvalidRequestError {
  const faults = decisions.flatMap(({ call }, index) =>
    calls.includes(call)
      ? [
          {
            pointer: `#/decisions/${index}/call`,
            detail: 'is no call that waits for a decision, or is named twice',
          },
        ]
      : [],
  );
  return new InvalidRequestError(faults);
}
