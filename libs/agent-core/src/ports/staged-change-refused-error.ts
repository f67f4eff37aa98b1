import { AppError } from '#libs/kernel';

/**
 * A staged change no longer fits the stored data, e.g. its row was deleted, or this release cannot read its shape. A
 * retry cannot succeed either, so the execution ends with this error.
 */
export class StagedChangeRefusedError extends AppError {
  constructor(changeKind: string, cause: unknown) {
    super({
      code: 'STAGED_CHANGE_REFUSED',
      kind: 'conflict',
      message: `a staged change no longer fits the stored data: ${changeKind}`,
      details: { changeKind },
      cause,
    });
  }
}
