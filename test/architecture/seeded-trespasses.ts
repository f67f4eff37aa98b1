import type { SeededViolation } from './seeded-violation.js';

/** Violations of the rules that a library is imported only through its public entry `#libs/<name>`. */
export const SEEDED_TRESPASSES: readonly SeededViolation[] = [
  {
    rule: 'libraries-meet-at-the-door',
    how: 'payloads climbs into the kernel by a relative path',
    files: {
      'libs/payloads/src/fail.ts': `import { AppError } from '../../kernel/src/app-error.js'; export const fail = AppError;`,
    },
  },
  {
    rule: 'libraries-meet-at-the-door',
    how: 'queue walks to the door of the kernel instead of naming it',
    files: {
      'libs/queue/src/fail.ts': `import { AppError } from '../../kernel/src/index.js'; export const fail = AppError;`,
    },
  },
  {
    rule: 'visitors-use-the-door',
    how: 'an app reaches for an inner file',
    files: {
      'apps/api/src/fail.ts': `import { AppError } from '../../../libs/kernel/src/app-error.js'; export const fail = AppError;`,
    },
  },
  {
    rule: 'visitors-use-the-door',
    how: 'a test reaches for an inner file',
    files: {
      'test/e2e/fail.spec.ts': `import { AppError } from '../../libs/kernel/src/app-error.js'; export default AppError;`,
    },
  },
  {
    rule: 'own-door-is-for-others',
    how: 'a file names its own library',
    files: { 'libs/queue/src/depth.ts': `import { queue } from '#libs/queue'; export const depth = queue;` },
  },
  {
    rule: 'own-door-is-for-others',
    how: 'a file imports its own index',
    files: { 'libs/queue/src/depth.ts': `import { queue } from './index.js'; export const depth = queue;` },
  },
];
