import { AppError } from '#libs/kernel';
import { MAX_SKILLS } from '#libs/persistence';

export function skillNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Skill not found' });
}

export function skillNameTaken(): AppError {
  return new AppError({
    code: 'SKILL_NAME_TAKEN',
    kind: 'conflict',
    message: 'Another skill of the tenant has this name',
  });
}

export function tooManySkills(): AppError {
  return new AppError({
    code: 'TOO_MANY_SKILLS',
    kind: 'unprocessable',
    message: `the tenant has ${MAX_SKILLS} skills, the maximum; delete one first`,
  });
}
