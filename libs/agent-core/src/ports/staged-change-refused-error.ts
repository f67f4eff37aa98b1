import { AppError } from '#libs/kernel';

/**
 * What a tool had prepared does not fit the stored data any more, e.g. the row that it refers to was deleted, or has a shape
 * that this release does not read. It will not fit later either, so it is how the execution ends.
 */
export class StagedChangeRefusedError extends AppError {
  constructor(changeKind: string, cause: unknown) {
    super({
      code: 'STAGED_CHANGE_REFUSED',
      kind: 'conflict',
      message: `a change that a tool had prepared does not fit the stored data any more: ${changeKind}`,
      details: { changeKind },
      cause,
    });
  }
}
