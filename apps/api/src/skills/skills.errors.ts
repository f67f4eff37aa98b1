import { AppError } from '#libs/kernel';
import { MAX_SKILLS } from '#libs/persistence';

export function skillNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Skill not found' });
}

export function skillNameTaken(): AppError {
  return new AppError({
    code: 'SKILL_NAME_TAKEN',
    kind: 'conflict',
    message: 'There is another skill with this name',
  });
}

export function tooManySkills(): AppError {
  return new AppError({
    code: 'TOO_MANY_SKILLS',
    kind: 'unprocessable',
    message: `there are ${MAX_SKILLS} skills already; delete one first`,
  });
}
