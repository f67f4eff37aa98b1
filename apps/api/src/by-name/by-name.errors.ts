import { AppError } from '#libs/kernel';

export function nameAmbiguous(): AppError {
  return new AppError({
    code: 'NAME_AMBIGUOUS',
    kind: 'conflict',
    message:
      'several resources of the tenant have this name; rename all but one, or change the resource by its id',
  });
}

/** The resource kept changing while it was applied. */
export function keepsChanging(): AppError {
  return new AppError({
    code: 'VERSION_CHANGED',
    kind: 'precondition_failed',
    message: 'other requests keep changing the resource; apply it again',
  });
}
